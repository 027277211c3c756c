"""A match for cards at the site, which lie in their order, apple 1 on A to grape 6 on X. Each round takes a day."""

from __future__ import annotations

from matches.games.the_mvp import GAME
from matches.games.the_mvp.tests.table import DECK, LENGTHS, NAMES, bid
from tests.games.site_table import SiteTable


class AtTable(SiteTable):
    """Six people play, dora hosts, gil has an account. Ann, cat and eve are red, bob, dan and fay green."""

    game = GAME
    lengths = LENGTHS
    title = "Fruit cellar"
    players = NAMES
    stranger = "gil"
    settings = {"deck": DECK, "first_round": "24h"}

    def bid(self, who: str, **adds: int) -> AtTable:
        """`bid("ann", U=4)`: the sealed submission of this round."""
        return self.act(who, bid(**adds))
