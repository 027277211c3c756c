"""Real processes under faults: a journal of everything that was sent and answered, and a checker of that history.

`python -m lab.crash` (lab/README.md). Nothing here is part of the site.
"""
