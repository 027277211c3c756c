"""What every match type shares: pure values and functions, no database, clock, chance or web.

The contract is in `game`; the rest are parts that rules are made of: `settings` (what hosts set) and `actions` (what
players do), `core` (what every state holds), `step` (what happened), `ledger` (what moved), `decisions` (who becomes
candidate, who gets tokens) with `polls` (one question) and `gifts`, `sealed` (submissions nobody may see yet),
`purchases` (for garnets), `corrections` and `amending` (by hosts), `draw` (chance that can be checked), `match_time`,
`views` (what viewers are shown), `sentences` (announcements in words), `bots`, `errors` (refusals). `scenario` is a
match written down, `preview` one in which nobody acts, `strict_json` the reader of what people wrote by hand.
"""
