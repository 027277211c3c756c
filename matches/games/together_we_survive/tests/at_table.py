"""A match at the site, through the services: six play in group A and five in group B, otto hosts, and zoe has an
account. Everybody brings a garnet but bob."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from matches import clock
from matches.games.together_we_survive import GAME
from matches.models import Match, Player
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.seats import add_player

START = datetime(2026, 3, 1, 14, tzinfo=UTC)
GROUP_A = ("ann", "bob", "cat", "dan", "eve", "flo")
GROUP_B = ("gus", "hal", "ida", "jon", "kim")
PLAYERS = (*GROUP_A, *GROUP_B)


class AtTable:
    """Everything happens at the present that a test holds."""

    def __init__(self, present: clock.FixedTime, **config: Any) -> None:
        present.instant = START
        self.present = present
        self.users = {who: self._person(who) for who in (*PLAYERS, "otto", "zoe")}
        match = create_match(GAME.slug, "Theatre", hosts=(self.users["otto"],), config=config)
        self.pk: int = match.pk
        for who in PLAYERS:
            add_player(match, who, user=self.users[who], name=who.capitalize(), garnets=0 if who == "bob" else 1)
        publish(match, self.users["otto"])

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

    def does(self, who: str, **action: Any) -> AtTable:
        """One of the players does something that is taken."""
        answer = submit_for(Player.objects.get(match_id=self.pk, handle=who), action)
        assert answer.accepted, answer.message
        return self

    def on_stage(self, who: str, **votes: int) -> AtTable:
        return self.does(who, type="vote_a", votes=votes)

    def for_b(self, who: str, **votes: int) -> AtTable:
        return self.does(who, type="vote_b", votes=votes)

    def one_round(self) -> AtTable:
        """Round 1 is over: dan, eve and flo have left; kim had the most votes, gus gained 2 tokens and hal 1."""
        self.on_stage("ann", ann=2).on_stage("bob", bob=1).on_stage("cat", cat=1)
        self.for_b("dan", gus=2, hal=1).for_b("eve", kim=3).for_b("flo", kim=3)
        return self.at(48)

    def played(self) -> AtTable:
        """The play is over: bob and cat left in round 2, ann alone in round 3.

        Ann has two Tokens of Life to give to two of three, and votes for bob or cat; gus, who won group B, votes for
        ida, jon or kim, and his only gift goes to hal.
        """
        return self.one_round().on_stage("ann", ann=1).at(72)

    def decided(self) -> AtTable:
        """The match is finished."""
        self.played().does("gus", type="vote", player="jon").does("ann", type="give_tokens", to=["eve", "flo"])
        return self.does("ann", type="vote", player="cat")
