"""Highest Bid: one lot, one sealed bid each, and the highest wins. The smallest match type that there can be."""

from tests.example_game.game import HighestBid

GAME = HighestBid()
