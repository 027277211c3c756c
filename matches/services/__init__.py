"""The only code that writes to the database: one function, and one transaction, for each thing that can happen.

Players: `actions` (submit, or ask what the rules would say), `joining` (join, leave, invitations), `absences` (and the
ready check), `questions` (to the hosts, and until when their notes are read), `texts` (what is taken of what people
write), `account_deletion`.
Hosts: `creation` (drafts, also from other matches), `pasted_names`, `roster` (who plays before the start), `hosting`
(publish, clock, corrections, decisions, roles), `amending` (settings of a running match, and what a command would lead
to), `rehearsals`, `roles` (who hosts, and who may never play).
Time: `deadlines` (the sweep, and those that pass when all is sent), `group` (many matches in one transaction),
`opening` (scheduled starts), `outages` (and pauses that end), `bots`, `blood` (blood garnets that grow).
Shared parts: `writer` does what `locking` has locked the match for (which also notes that rules have failed),
`commands` is what all commands of hosts share, `places` helps with players; `belonging` is what other apps add,
`refusal_quota` limits how many refused actions are kept, `storage` writes rows, `signals` tells the site after commit
and says what is still to be told elsewhere, `errors` is what is raised, and tries again.
Checks: `replay` plays the log again and compares with the help of `verification`; it stores what `draws` finds that
chance decided. `scenario_runner` plays a scenario file and rolls it back.
"""
