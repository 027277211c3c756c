"""A match at the site, through the services: six people play, dora hosts, gil has an account.

Ann, cat and eve are red, bob, dan and fay green. The cards lie in their order, apple 1 on A to grape 6 on X. Each round
takes a day.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from matches import clock
from matches.games.the_mvp import GAME
from matches.games.the_mvp.cards import CARDS
from matches.games.the_mvp.pattern import PLACES
from matches.models import Match, Player
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.seats import add_player

START = datetime(2026, 3, 1, 14, tzinfo=UTC)
RED, GREEN = ("ann", "cat", "eve"), ("bob", "dan", "fay")
PLAYERS = ("ann", "bob", "cat", "dan", "eve", "fay")
IN_ORDER = dict(zip(PLACES, CARDS, strict=True))


class AtTable:
    """Everything happens at the present that a test holds."""

    def __init__(self, present: clock.FixedTime, **config: Any) -> None:
        present.instant = START
        self.present = present
        self.users = {who: self._person(who) for who in (*PLAYERS, "dora", "gil")}
        settings = {"deck": IN_ORDER, "first_round": "24h", **config}
        match = create_match(GAME.slug, "Fruit cellar", hosts=(self.users["dora"],), config=settings)
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

    def act(self, who: str, **action: Any) -> AtTable:
        answer = submit_for(Player.objects.get(match_id=self.pk, handle=who), action)
        assert answer.accepted, answer.message
        return self

    def bid(self, who: str, **adds: int) -> AtTable:
        """`bid("ann", U=4)`: the sealed submission of this round."""
        return self.act(who, type="bid", adds=adds)
