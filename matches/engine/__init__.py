"""What all match types share: pure values and functions, without database, clock, randomness or web.

`game` is the contract that every match type fulfils. The other modules are the parts that rules are built from:

- `match_type` (what a match type declares), `settings` (what hosts set), `roster` (who plays), `actions` (what players
  submit), `core` (what every state holds), `step` (what one event did), `ledger` (balances and postings), `match_time`,
  `errors`;
- `draw` (randomness that can be checked);
- `decisions` (the Elimination Candidate and surplus Tokens of Life), with `polls` and `gifts`;
- `sealed` (submissions hidden until a deadline), `purchases` (for garnets), `bots`;
- `corrections` and `amending` (what hosts may change in a running match);
- `views` (what viewers are shown), `sentences` (announcements in words), `notice_events` (whom they concern elsewhere
  than on the match's page), `story` and `figures` (what is told and counted of finished matches).

`scenario` reads scenario files and `playing` plays them, `preview` plays a match in which nobody acts, `bot_match` one
among bots, of which `rehearsal` and `rehearsal_report` tell. `strict_json` reads JSON that was written by hand, and
`canonical` writes the JSON that is hashed.
"""
