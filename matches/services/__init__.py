"""The only code that writes to the database: one function, and one transaction, for each thing that can happen.

Players: `actions` (submit, or ask what the rules would say), `joining` (join, leave, take an invitation).
Hosts: `creation` (drafts), `roster` (who plays, who hosts), `hosting` (publish, clock, corrections, decisions).
Time: `deadlines` (the sweep), `opening` (scheduled starts), `bots`, `blood` (blood garnets that grow).
Also for hosts: `drafts` (drafts made from other matches, templates, files and pasted names), `amending` (settings of a
running match), `fixed_draws` (what hosts set instead of a draw), `insiders` (who may never play in a match),
`hosts_group` (the permission to host).
Shared parts: `writer` holds the lock and the transaction, `commands` is what all commands of hosts share, `names` and
`open_places` help with players, `announcements` with what one of them was told, `refusals` limits how many refused
actions are kept, `storage` writes rows, `signals` tells the site after commit, `heartbeat` notes when regular work was
done, `errors` is what is raised.
Chance: `words` (players add words to the seed), `chance` (which are mixed in at the start).
Checks: `replay` plays the log again and compares, `draws` finds what chance decided, `results` stores that;
`scenario_runner` plays a scenario file and rolls it back.
"""
