"""What all match types share: pure values and functions, without database, clock, randomness or web.

`game` is the contract that every match type fulfils. The other modules are the parts that rules are built from:

- `match_type` (what a match type declares, and which settings may be amended), `settings` (what hosts set, who plays),
  `actions` (what players submit), `core` (what every state holds, with balances, postings and sealed submissions),
  `step` (what one event did), `match_time`, `errors`;
- `draw` (randomness that can be checked);
- `decisions` (the Elimination Candidate and surplus Tokens of Life), with `polls`;
- `purchases` (buying chips for garnets, and hosts' corrections of balances), `sealed_rounds`, `bots`;
- `views` (what viewers are shown), `sentences` (announcements in words), `notice_events` (the events that people are
  notified of), `story` (the turning points of a finished match).

`scenario` reads and plays scenario files. `simulation` plays a match in which nobody acts, or one among bots, on which
`rehearsal` reports. `strict_json` reads JSON that was written by hand, and writes the JSON that `chain` hashes.
"""
