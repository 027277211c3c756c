"""A match of fifty numbers at the site, in ascending order, five in each round of a day."""

from __future__ import annotations

from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import ASCENDING, BUY, LENGTHS, bid, name
from tests.games.site_table import SiteTable

PLAYERS = ("ann", "bob", "cat")


class AtTable(SiteTable):
    """Ann, bob and cat play, dora hosts, eve has an account."""

    game = GAME
    lengths = LENGTHS
    title = "Fifty numbers"
    players = PLAYERS
    settings = {"numbers": ASCENDING}

    def bid(self, who: str, **bids: int) -> AtTable:
        """`bid("ann", n7=30)`: sealed bids by number."""
        return self.act(who, bid({int(number[1:]): amount for number, amount in bids.items()}))

    def buy(self, who: str) -> AtTable:
        return self.act(who, BUY)

    def name(self, who: str, candidate: str) -> AtTable:
        return self.act(who, name(candidate))
