"""The only code that writes to the database: one function, and one transaction, for each thing that can happen.

Players: `actions` (submit, or ask what the rules would say), `joining` (join, leave, take an invitation), `absences`,
`leniency` (bots for those who are away), `questions` (to the hosts), `reading` (until when notes are read),
`departing` (the account is deleted).
Hosts: `creation` (drafts), `drafts` (made from other matches and pasted names), `roster` (who plays
before the start), `hosting` (publish, clock, corrections, decisions, roles), `amending` (settings of a running match),
`invitations`, `rehearsals`, `foreseen` (what a command would lead to), `fixed_draws` (what hosts set instead of a
draw), `insiders` (who may never play in a match), `hosts_group` (the permission to host).
Time: `deadlines` (the sweep), `group` (many matches in one transaction), `opening` (scheduled starts), `by_itself` (a
pause ends), `outages`, `bots`, `blood` (blood garnets that grow), `rehearsing` (plays what was
asked for).
Shared parts: `writer` does what `locking` has locked the match for, `commands` is what all commands of hosts share,
`roles` who they are; `places`, `names`, `open_places` and `stand_ins` help with players, `announcements` with what one
of them was told, `plain_text` with what people write; `belonging` is what other apps add, `refusals` limits how many
refused actions are kept, `faults` notes that rules have failed, `storage` writes rows, `committed` keeps what was
stored last, `signals` tells the site after commit, `outbox` keeps what is still to be told elsewhere, `heartbeat` notes
when regular work was done, `errors` is what is raised.
Checks: `replay` plays the log again and compares with the help of `verification`; `special_rows` are those of the log
that end a match, stay private or take something back; `draws` find what chance decided, `results` stores that.
`scenario_runner` plays a scenario file and rolls it back.
"""
