"""What tests outside this folder play where they need a match and any would do (tests/fixtures/any_game.py finds it).

They know its board of nine seats, R to Z, and that one bids chips on them.
"""

SMALL = {"variant": "F8"}
PRESET = "F8, nine seats"
