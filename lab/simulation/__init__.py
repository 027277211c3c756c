"""A whole site in one thread, in which a seed chooses what happens when: see lab/README.md.

The code that runs is the product's own. Replaced are only its edges: the clock, chance, threads, event loops, the
channel layer, mail, and the death of processes.
"""
