"""The only code that writes to the database: one function, and one transaction, for each thing that can happen.

Players: `actions` (submit, or ask what the rules would say), `joining` (join, leave, invitations), `absences` (and the
ready check), `questions` (to the hosts, and how far players have read the hosts' notes), `texts` (checks of what people
write), `account_deletion`.
Hosts: `creation` (drafts, also from other matches), `pasted_names`, `roster` (who plays, before the start), `hosting`
(publish, clock, corrections, decisions, roles), `amending` (settings of a running match, and what a command would lead
to), `rehearsals`, `roles` (who hosts, and who may never play).
Time: `deadlines` (the sweep, and deadlines that pass once everybody has submitted), `group` (actions in many matches in
one transaction), `opening` (scheduled starts), `outages` (and pauses that end), `bots`, `blood` (blood garnets grow).
Shared parts: `locking` locks a match (and notes that its rules have failed), `writer` changes it under that lock,
`commands` has what all commands of hosts share, `places` helps with players, `belonging` asks what other apps add,
`refusal_quota` limits how many refused actions are kept, `storage` writes rows, `signals` tells the site after the
commit, `errors` has the exceptions and the retries.
Checks: `replay` plays the log again and compares with the help of `verification`; it stores the draws that `draws`
finds. `scenario_runner` plays a scenario file and rolls it back.
"""
