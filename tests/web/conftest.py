"""A table at which a match is played through the pages: a host, three players, and a person who watches."""

import json
import re
from datetime import timedelta
from typing import Any, Self

import pytest
from django.test import Client

from accounts.models import User
from matches.engine.actions import DECISIONS
from matches.models import Match, Player, clock
from matches.services.actions import Answer
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import publish
from matches.services.joining import add_player
from tests.fixtures.any_game import SLUG, SMALL
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START
from tests.services.conftest import submit_here

NAMES = ("ann", "bob", "cat")


class Table:
    """A match on three by three seats, R to Z, with ann, bob and cat; dora hosts, eve has an account."""

    def __init__(self, present: clock.FixedTime, **config: Any) -> None:
        self.present = present
        self.users = {name: self._person(name) for name in (*NAMES, "dora", "eve")}
        match = create_match(SLUG, "Night table", hosts=(self.users["dora"],), config={**SMALL, **config})
        self.match_id: int = match.pk
        for name in NAMES:
            add_player(match, name, user=self.users[name], garnets=6, **self.brings(name))

    def brings(self, name: str) -> dict[str, Any]:
        """Return what a player brings besides garnets."""
        return {"priority": 5 - 2 * NAMES.index(name)}

    @staticmethod
    def _person(name: str) -> User:
        user = User.objects.filter(username=name).first()
        return user or User.objects.create_user(name, f"{name}@example.org", "a long password")

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.match_id)

    @property
    def url(self) -> str:
        return self.match.get_absolute_url()

    def player(self, name: str) -> Player:
        return Player.objects.get(match_id=self.match_id, handle=name)

    def open(self) -> Self:
        publish(self.match, self.users["dora"])
        return self

    def at(self, hours: float) -> Self:
        """Set the clock to this many hours after the start, and pass every deadline on the way."""
        self.present.instant = START + timedelta(hours=hours)
        advance(self.match_id)
        return self

    def act(self, name: str, kind: str, **fields: Any) -> Answer:
        return submit_here(self.match_id, self.users[name].pk, {"type": kind, **fields})

    def bid(self, name: str, seat: str, amount: int) -> Self:
        answer = self.act(name, "bid", seat=seat, amount=amount)
        assert answer.accepted, answer.message
        return self

    def finish(self) -> Self:
        """Play the worked example to its end: ann wins with 4 on Y, and nobody is left to decide anything."""
        self.bid("ann", "Z", 3).bid("bob", "Z", 5).bid("cat", "Y", 3)
        self.at(25).bid("ann", "Y", 4).at(24 * 8)
        assert self.match.status == Match.Status.FINISHED
        return self


def sure(action: dict[str, Any]) -> dict[str, str]:
    """Return the field that a form sends once a final choice has been confirmed."""
    return {"sure": json.dumps(action, sort_keys=True)} if action["type"] in DECISIONS else {}


class Browser(Client):
    """A browser without scripts; `press` sends a form as the page would have."""

    def look(self, url: str, status: int = 200) -> str:
        response = self.get(url)
        assert response.status_code == status, response.content[:400]
        return response.content.decode()

    def key_of(self, url: str, kind: str) -> str:
        """Return the idempotency key that the page made for a form."""
        found = re.search(rf'id="key-{kind}" value="([^"]+)"', self.look(url))
        assert found, f"no form for {kind}"
        return found[1]

    def press(self, url: str, kind: str, *, key: str = "", htmx: bool = False, **fields: Any) -> Any:
        data = {"type": kind, "key": key, **fields, **sure({"type": kind, **fields})}
        headers = {"HX-Request": "true"} if htmx else {}
        return self.post(f"{url}act/", data, headers=headers)


def browser(user: User | None = None, **how: Any) -> Browser:
    """Return a browser in which this person is signed in."""
    client = Browser(**how)
    if user is not None:
        client.force_login(user)
    return client


def error_at(page: str, kind: str, field: str) -> str:
    """Return the error message at a field of a form."""
    found = re.search(rf'id="{kind}-{field}-error".*?<span>(.*?)</span>', page, re.DOTALL)
    assert found, f"no error at {field}"
    assert f'aria-describedby="{kind}-{field}-error"' in page
    return found[1]


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    """A match that has just begun: sealed bids until 23 h, the auction opens at 24 h."""
    return made_once("table", lambda: Table(present).open(), present)


@pytest.fixture
def auction(db: None, present: clock.FixedTime) -> Table:
    """A match in its auction: ann's 4 stands on Y, bob's 5 on Z."""

    def make() -> Table:
        return Table(present).open().at(24).bid("ann", "Y", 4).bid("bob", "Z", 5)

    return made_once("auction", make, present)
