"""What every match type shares: pure values and functions, no database, clock, chance or web.

The contract is in `game`; the rest are parts that rules are made of: `step` (what happened),
`ledger` (what moved), `core` (what every state holds), `decisions` (candidates and gifts),
`sealed` (submissions nobody may see yet), `options` and `actions` (reading what people typed),
`draw` (chance that can be checked), `durations` (match time), `scenario` (a match written down),
`words` (announcements in sentences).
"""
