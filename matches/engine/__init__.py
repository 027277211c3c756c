"""What every match type shares: pure values and functions, no database, clock, chance or web.

The contract is in `game`; the rest are parts that rules are made of: `step` (what happened),
`ledger` (what moved), `core` (what every state holds), `decisions` (who becomes candidate, who gets
tokens) with `polls` (one question) and `gifts`, `corrections` (by hosts), `sealed` (submissions nobody
may see yet), `options` and `actions` (reading what people typed, out of `strict_json`), `draw` (chance that
can be checked), `durations` (match time), `views` (what viewers are shown), `words` (announcements
in sentences), `errors` (refusals), `scenario` (a match written down), `rehearsal` (a match in which
nobody acts).
"""
