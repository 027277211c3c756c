"""A match on three by three seats at the site, R to Z: sealed bids until 23h, the auction from 24h on."""

from __future__ import annotations

from matches.games.lowest_unique_integer import GAME
from matches.games.lowest_unique_integer.tests.table import LENGTHS, WITHDRAW, bid, buy
from matches.models import Player
from matches.services.actions import submit_for
from matches.services.hosting import peek
from tests.games.site_table import SiteTable

PRIORITIES = {"ann": 5, "bob": 3, "cat": 1}


class AtTable(SiteTable):
    """Ann, bob and cat play, dora hosts, eve has an account."""

    game = GAME
    lengths = LENGTHS
    title = "Night table"
    players = ("ann", "bob", "cat")
    settings = {"variant": "F8"}

    def brings(self, who: str) -> dict[str, int]:
        return {"garnets": 6, "priority": PRIORITIES[who]}

    def bid(self, who: str, seat: str, amount: int) -> AtTable:
        return self.act(who, bid(seat, amount))

    def buy(self, who: str, count: int) -> AtTable:
        return self.act(who, buy(count))

    def withdraw(self, who: str) -> AtTable:
        return self.act(who, WITHDRAW)

    def is_refused(self, who: str) -> AtTable:
        """Somebody bids more than anybody has."""
        assert not submit_for(Player.objects.get(match_id=self.pk, handle=who), bid("Z", 1000)).accepted
        return self

    def is_looked_at(self, who: str) -> AtTable:
        """The host looks at what somebody has sealed."""
        player = Player.objects.get(match_id=self.pk, handle=who)
        peek(self.match, self.users[self.host], player, "Canary of a reason.")
        return self
