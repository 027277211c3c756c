"""What all match types share: pure values and functions, without database, clock, randomness or web.

`game` is the contract that every match type fulfils. The other modules are the parts that rules are built from:

- `settings` (what hosts set), `actions` (what players submit), `core` (what every state holds), `step` (what one event
  did), `ledger` (balances and postings), `draw` (randomness that can be checked), `match_time`, `errors`;
- `decisions` (the Elimination Candidate and surplus Tokens of Life), with `polls` and `gifts`;
- `sealed` (submissions hidden until a deadline), `purchases` (for garnets), `bots`;
- `corrections` and `amending` (what hosts may change in a running match);
- `views` (what viewers are shown) and `sentences` (announcements in words).

`scenario` reads and plays scenario files, `preview` plays a match in which nobody acts, and `strict_json` reads JSON
that was written by hand.
"""
