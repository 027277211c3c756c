"""The only writers: one function for each thing that can happen to a match, each one transaction.

Players: `actions` (submit, or ask what the rules would say), `joining` (join, leave, take an invitation), `notices`.
Hosts: `creation` (drafts), `roster` (who plays, who hosts), `hosting` (publish, clock, corrections, decisions).
Time: `deadlines` (the sweep), `opening` (a start that has come), `bots`, `blood` (garnets that grow).
Underneath: `writer` holds the lock and the transaction, `guards` stands around it, `commands` is what all commands of
hosts share; `log`, `books` and `rows` store; `signals` tells the site after commit; `heartbeat` notes that work was
done. `verify` plays the log again and compares, `draws` lists what chance decided in it; `scratch` plays a scenario
here and takes it back.
"""
