"""Lowest Unique Integer: ascending auctions for the seats of a wrap-around grid, all at once."""

from matches.games.lowest_unique_integer.game import LowestUniqueInteger

GAME = LowestUniqueInteger()
