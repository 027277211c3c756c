"""Coin Collectors: sealed rounds of auctions in which coins buy shares of prizes, tier by tier."""

from matches.games.coin_collectors.game import CoinCollectors

GAME = CoinCollectors()
