"""Lowest Unique Integer: ascending auctions for all seats of a wrap-around grid at once."""

from matches.games.lowest_unique_integer.game import LowestUniqueInteger

GAME = LowestUniqueInteger()
