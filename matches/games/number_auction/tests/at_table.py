"""A match at the site, through the services: ann, bob and cat play, dora hosts, eve has an account.

The numbers come up in ascending order, five in each round of a day.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from matches import clock
from matches.games.number_auction import GAME
from matches.games.number_auction.tests.table import ASCENDING, BUY, bid, name
from matches.models import Match, Player
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.seats import add_player

START = datetime(2026, 3, 1, 14, tzinfo=UTC)
PLAYERS = ("ann", "bob", "cat")


class AtTable:
    """Everything happens at the present that a test holds."""

    def __init__(self, present: clock.FixedTime, **config: Any) -> None:
        present.instant = START
        self.present = present
        self.users = {who: self._person(who) for who in (*PLAYERS, "dora", "eve")}
        settings = {"numbers": ASCENDING, **config}
        match = create_match(GAME.slug, "Fifty numbers", hosts=(self.users["dora"],), config=settings)
        self.pk: int = match.pk
        for who in PLAYERS:
            add_player(match, who, user=self.users[who], name=who.capitalize(), garnets=3, priority=1)
        publish(match, self.users["dora"])

    @staticmethod
    def _person(who: str) -> User:
        found = User.objects.filter(username=who).first()
        return found or User.objects.create_user(who, f"{who}@example.org", None)

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.pk)

    @property
    def url(self) -> str:
        return self.match.get_absolute_url()

    def at(self, hours: float) -> AtTable:
        """Let it be so many hours after the start, with every deadline on the way passed."""
        self.present.instant = START + timedelta(hours=hours)
        advance(self.pk)
        return self

    def act(self, who: str, action: dict[str, Any]) -> AtTable:
        answer = submit_for(Player.objects.get(match_id=self.pk, handle=who), action)
        assert answer.accepted, answer.message
        return self

    def bid(self, who: str, **bids: int) -> AtTable:
        """`bid("ann", n7=30)`: sealed bids by number."""
        return self.act(who, bid({int(number[1:]): amount for number, amount in bids.items()}))

    def buy(self, who: str) -> AtTable:
        return self.act(who, BUY)

    def name(self, who: str, candidate: str) -> AtTable:
        return self.act(who, name(candidate))
