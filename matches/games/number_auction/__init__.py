"""Number Auction: sealed second-price rounds for the numbers 1 to 50, and a grid of conditions."""

from matches.games.number_auction.game import NumberAuction

GAME = NumberAuction()
