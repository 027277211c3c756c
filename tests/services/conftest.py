"""A table at which the tiny game is played through the services, under a fixed clock."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import get_resolver

from accounts.models import User
from matches.games import registry
from matches.models import Announcement, Match, Player, clock
from matches.queries.feed import FeedLine, feed_line, names_in
from matches.services.actions import Answer
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.group.batch import Ask, alone
from matches.services.hosting import publish
from matches.services.joining import add_player
from tests.engine.tiny_game import GAME as TINY
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def register_tiny_game(patch: pytest.MonkeyPatch) -> None:
    """Register the tiny game besides the real ones until `patch` is undone."""
    assert get_resolver().url_patterns  # import views first, or they would keep this for ever
    games = {**registry.all_games(), TINY.slug: TINY}
    patch.setattr(registry, "all_games", lambda: games)


@pytest.fixture(autouse=True)
def _tiny_game_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    register_tiny_game(monkeypatch)


def person(name: str, **fields: Any) -> User:
    """Make a user with this name."""
    return User.objects.create(username=name, email=f"{name}@example.org", **fields)


def told_alone(user: User) -> list[FeedLine]:
    """Return what only this person was told, in all of their matches, without answers to their own actions."""
    items = Announcement.objects.filter(player__user=user, read_at=None).order_by("-pk")
    return [feed_line(item.match, item, names_in(item.match)) for item in items]


def submit_here(match_id: int, user_id: int, action: Any, key: str = "") -> Answer:
    """Submit an action in this thread, which has the test's clock."""
    outcome = alone(Ask(match_id, user_id, action, key))
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


class Table:
    """A match of the tiny game with people; `host` runs it."""

    def __init__(
        self, present: clock.FixedTime, handles: str = "ann bob cat", *, garnets: int = 10, **config: Any
    ) -> None:
        self.present = present
        number = User.objects.count()
        self.host = person(f"dora{number}")
        self.match_id: int = create_match(TINY.slug, "A match", hosts=(self.host,), config=config).pk
        self.users: dict[str, User] = {}
        for handle in handles.split():
            self.users[handle] = person(f"{handle}{number}")
            add_player(self.match, handle, user=self.users[handle], garnets=garnets, priority=1)

    @property
    def match(self) -> Match:
        """The match as it is stored now."""
        return Match.objects.get(pk=self.match_id)

    @property
    def state(self) -> Any:
        return TINY.decode_state(self.match.state)

    def player(self, handle: str) -> Player:
        return Player.objects.get(match_id=self.match_id, handle=handle)

    def open(self) -> Table:
        publish(self.match, self.host)
        return self

    def act(self, handle: str, type_: str, key: str = "", **fields: Any) -> Answer:
        return submit_here(self.match_id, self.users[handle].pk, {"type": type_, **fields}, key)

    def at(self, time: timedelta) -> Table:
        """Set the clock to this long after the start; no deadline is passed yet."""
        self.present.instant = START + time
        return self

    def advance(self) -> Table:
        advance(self.match_id)
        return self

    def holding(self, handle: str, asset: str) -> int:
        found = self.player(handle).holdings.filter(asset=asset).first()
        return found.amount if found else 0


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    """A match of the tiny game with ann, bob and cat that has just begun: bids until 24 h."""
    return made_once("tiny table", lambda: Table(present).open(), present)
