"""A match at the site, through the services: ann, bob and cat play, dora hosts, eve has an account.

Two rounds of a day each, and a secret third one. Item names are the host's.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from matches import clock
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.tests.table import auction, bid, round_of
from matches.models import Match, Player
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.seats import add_player

START = datetime(2026, 3, 1, 14, tzinfo=UTC)
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


class AtTable:
    """Everything happens at the present that a test holds."""

    def __init__(self, present: clock.FixedTime, **config: Any) -> None:
        present.instant = START
        self.present = present
        self.users = {who: self._person(who) for who in (*PLAYERS, "dora", "eve")}
        match = create_match(GAME.slug, "Cabinet", hosts=(self.users["dora"],), config={**CONFIG, **config})
        self.pk: int = match.pk
        for who in PLAYERS:
            add_player(match, who, user=self.users[who], name=who.capitalize(), garnets=1, priority=1)
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

    def bid(self, who: str, bids: dict[str, dict[str, int]], *items: dict[str, str], **lifts: bool) -> AtTable:
        player = Player.objects.get(match_id=self.pk, handle=who)
        answer = submit_for(player, bid(bids, *items, **lifts))
        assert answer.accepted, answer.message
        return self
