"""A match in a cabinet of coins at the site: two rounds of a day each, and a secret third one. Item names are the
host's."""

from __future__ import annotations

from typing import Any

from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.tests.table import LENGTHS, Bids, auction, bid, round_of
from tests.games.site_table import SiteTable

PLAYERS = ("ann", "bob", "cat")
ODD = "St. Mary's [old] & co"
SECRET = "Sunken galleon"
CONFIG: dict[str, Any] = {
    "start": {"gold": 1, "silver": 2, "bronze": 1},
    "items": {"spyglass": {"name": "Crow's nest"}, "alchemy": {"name": "Smelter's secret"}},
    "rounds": [
        round_of(auction(ODD, silver=3, items={"spyglass": 3}), auction("Treasury", gold=2, silver=5), bid_limit=2),
        round_of(auction("Harbour", gold=3, bronze=4), auction_limit=1),
        round_of(auction(SECRET, gold=9, items={"alchemy": 7})),
    ],
}


class AtTable(SiteTable):
    """Ann, bob and cat play, dora hosts, eve has an account."""

    game = GAME
    lengths = LENGTHS
    title = "Cabinet"
    players = PLAYERS
    settings = CONFIG
    begins = 24

    def brings(self, who: str) -> dict[str, int]:
        return {"garnets": 1, "priority": 1}

    def bid(self, who: str, bids: Bids, *items: dict[str, str], **lifts: bool) -> AtTable:
        return self.act(who, bid(bids, *items, **lifts))
