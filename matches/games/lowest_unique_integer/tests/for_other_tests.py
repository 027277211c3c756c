"""What tests outside this folder play where they need a match and any would do (tests/fixtures/any_game.py finds it).

They know its board of nine seats, R to Z, and that one bids chips on them.
"""

from matches.games.lowest_unique_integer.tests.table import LENGTHS

SMALL = {"variant": "F8", **LENGTHS}
PRESET = "F8, nine seats"
