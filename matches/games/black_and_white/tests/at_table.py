"""A duel at the site: ann leads, bob answers; dora hosts, eve has an account."""

from __future__ import annotations

from matches.games.black_and_white import GAME
from matches.games.black_and_white.tests.table import place
from tests.games.site_table import SiteTable


class AtTable(SiteTable):
    """A day for each number."""

    game = GAME
    title = "A duel"
    players = ("ann", "bob")
    settings = {"first": "ann", "move_time": "24h"}

    def place(self, who: str, points: int) -> AtTable:
        return self.act(who, place(points))
