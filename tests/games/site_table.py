"""A match at the site, through the services: people play, one hosts, one has an account and no more."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import count
from typing import Any, ClassVar, Self, TypeVar

from accounts.models import User
from matches.engine.game import AnyGame
from matches.models import Match, Player, clock
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.joining import add_player
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START

Table = TypeVar("Table", bound="SiteTable")


class SiteTable:
    """A match that has begun at `START`; everything happens at the present that a test holds.

    A game says which people there are, what is set, and what players bring.
    """

    game: ClassVar[AnyGame]
    title: ClassVar[str]
    players: ClassVar[tuple[str, ...]]
    host: ClassVar[str] = "dora"
    stranger: ClassVar[str] = "eve"
    lengths: ClassVar[Mapping[str, Any]] = {}
    settings: ClassVar[Mapping[str, Any]] = {}
    begins: ClassVar[float] = 0
    """Hours after the start from which players can act."""

    def __init__(self, present: clock.FixedTime, **config: Any) -> None:
        present.instant = START
        self.present = present
        self.users = {who: _person(who) for who in (*self.players, self.host, self.stranger)}
        host = self.users[self.host]
        match = create_match(
            self.game.slug, self.title, hosts=(host,), config={**self.lengths, **self.settings, **config}
        )
        self.pk: int = match.pk
        for who in self.players:
            add_player(match, who, user=self.users[who], name=who.capitalize(), **self.brings(who))
        self.prepare(match)
        publish(Match.objects.get(pk=match.pk), host)

    def brings(self, who: str) -> dict[str, int]:
        """A player's opening balances."""
        return {"garnets": 3, "priority": 1}

    def prepare(self, match: Match) -> None:
        """What a test changes in the stored match before it is published."""

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.pk)

    @property
    def url(self) -> str:
        return self.match.get_absolute_url()

    def at(self, hours: float) -> Self:
        """Move to this many hours after the start, passing every deadline on the way."""
        self.present.instant = START + timedelta(hours=hours)
        advance(self.pk)
        return self

    def act(self, who: str, action: Mapping[str, Any]) -> Self:
        """One of the players does something that is accepted."""
        answer = submit_for(Player.objects.get(match_id=self.pk, handle=who), dict(action))
        assert answer.accepted, answer.message
        return self


def in_turn(present: clock.FixedTime, table: type[Table]) -> Callable[[dict[str, Any]], Table]:
    """Makes tables with a config, in which players can act. They are made once, of each config two in turn: worlds
    that are compared have different seeds."""
    turns = count()

    def make(config: dict[str, Any]) -> Table:
        key = (table, repr(config), next(turns) % 2)
        return made_once(key, lambda: table(present, **config).at(table.begins), present)

    return make


def _person(who: str) -> User:
    found = User.objects.filter(username=who).first()
    return found or User.objects.create_user(who, f"{who}@example.org", None)
