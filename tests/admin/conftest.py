"""The people of the console's tests, and a driver that uses the console as a host would: through its forms."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from matches.games import registry
from matches.models import Match, Player
from matches.services.creation import create_match
from matches.services.deadlines import sweep
from matches.services.hosting import start_now
from matches.services.roles import HOSTS
from matches.services.roster import PlayerChange, change_players
from tests.engine.tiny_game import GAME as TINY
from tests.fixtures.any_game import SLUG
from tests.fixtures.made_once import made_once

BEGIN = datetime(2031, 5, 17, 13, 0, tzinfo=UTC)


@pytest.fixture
def clock(db: Any) -> Iterator[Any]:
    """The system's time, frozen at `BEGIN` until a test moves it."""
    with time_machine.travel(BEGIN, tick=False) as traveller:
        yield traveller


def person(username: str, *, staff: bool = False, **fields: Any) -> Any:
    user = get_user_model().objects.create_user(username, f"{username}@example.org", "secret", **fields)
    if staff:
        user.is_staff = True
        user.save()
        user.groups.add(Group.objects.get(name=HOSTS))
    return user


class Night(NamedTuple):
    """A match of ann, bob and cat in its sealed pregame, just begun."""

    host: Any
    players: list[Any]
    match: Match


def _hanna() -> Any:
    return person("hanna", staff=True, time_zone="Europe/Berlin")


def _three() -> list[Any]:
    return [person(name) for name in ("ann", "bob", "cat")]


def _draft(host: Any) -> Match:
    return create_match(SLUG, "Night table", by=host, key="night", places=8)


def _begun() -> Night:
    host, players = _hanna(), _three()
    match = _draft(host)
    rows = [{"user": user, "garnets": 5, "priority": number} for number, user in enumerate(players)]
    change_players(match, host, [PlayerChange(None, row) for row in rows])
    start_now(match, host)
    return Night(host, players, match)


@pytest.fixture
def _night(clock: Any, request: pytest.FixtureRequest) -> Night | None:
    """What `running` needs, made before everything else; then `host` and `players` belong to it."""
    if "running" not in request.fixturenames:
        return None
    made = made_once("night", _begun)
    made.match.refresh_from_db()
    return made


@pytest.fixture
def host(_night: Night | None) -> Any:
    return _hanna() if _night is None else _night.host


@pytest.fixture
def other_host(clock: Any) -> Any:
    return person("otto", staff=True)


@pytest.fixture
def boss(clock: Any) -> Any:
    return get_user_model().objects.create_superuser("boss", "boss@example.org", "secret")


@pytest.fixture
def players(_night: Night | None) -> list[Any]:
    return _three() if _night is None else _night.players


def browser_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


class Console:
    """One match's pages as this person uses them."""

    def __init__(self, user: Any) -> None:
        self.client = browser_of(user)
        self.match: Match | None = None

    @property
    def address(self) -> str:
        assert self.match is not None
        return f"/admin/matches/match/{self.match.pk}"

    def page(self) -> str:
        """The match's page."""
        answer = self.client.get(f"{self.address}/change/")
        assert answer.status_code == 200, answer.status_code
        return text_of(answer)

    def create(self, title: str = "Night table", **fields: Any) -> Match:
        answer = self.client.post("/admin/matches/match/add/", {**settings_form(title=title), **fields})
        assert answer.status_code == 302, text_of(answer)
        self.match = Match.objects.get(title=title)
        return self.match

    def save_players(self, rows: list[dict[str, Any]]) -> str:
        """Send the table of players; return the page that follows."""
        data: dict[str, Any] = {"players-TOTAL_FORMS": len(rows), "players-INITIAL_FORMS": 0}
        for number, row in enumerate(rows):
            data |= {f"players-{number}-{key}": value for key, value in row.items()}
        return text_of(self.client.post(f"{self.address}/change/", data, follow=True))

    def ask(self, name: str, **fields: Any) -> str:
        """Send a command's form once; return the page that says what will happen or what is wrong."""
        return text_of(self.client.post(f"{self.address}/do/{name}/", fields, follow=True))

    def do(self, name: str, **fields: Any) -> str:
        """Give a command as a host does: form, consequence, confirmation. Return the page that follows."""
        asked = text_of(self.client.get(f"{self.address}/do/{name}/")) if not fields else self.ask(name, **fields)
        assert "What will happen" in asked, asked
        for key, value in fields.items():
            for one in value if isinstance(value, list) else [value]:
                assert f'<input type="hidden" name="{key}" value="{one}">' in asked
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', asked))
        answer = self.client.post(f"{self.address}/do/{name}/", {**hidden, **fields, "_confirm": "1"}, follow=True)
        assert answer.status_code == 200
        assert self.match is not None
        if Match.objects.filter(pk=self.match.pk).exists():
            self.match.refresh_from_db()
        return text_of(answer)


def settings_form(title: str = "Night table", **config: Any) -> dict[str, Any]:
    """Return the form of a new match as a browser sends it, with nothing set but what is given."""
    facts = {"game": SLUG, "title": title, "description": "", "joining": "invited", "places": "8"}
    facts |= {"open_places": "wait", "_save": "Save"}
    return facts | {f"config-{key}": value for key, value in config.items()}


def text_of(answer: Any) -> str:
    """Return a page's HTML with entities unescaped."""
    return unescape(answer.content.decode())


@pytest.fixture
def console(host: Any) -> Console:
    return Console(host)


@pytest.fixture
def draft(console: Console, host: Any) -> Match:
    """An empty draft of the host's, made by the service; other tests cover the pages that make one."""
    console.match = _draft(host)
    return console.match


@pytest.fixture
def running(_night: Night | None, console: Console) -> Match:
    """A match of ann, bob and cat in its sealed pregame, just begun."""
    assert _night is not None
    console.match = _night.match
    return console.match


@pytest.fixture
def later(clock: Any) -> Callable[..., None]:
    """Let time pass, then run the sweep."""

    def pass_time(**span: float) -> None:
        clock.shift(timedelta(**span))
        sweep()

    return pass_time


# -- the tiny game ---------------------------------------------------------------------------------


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    """Register the tiny game, with a board that shows for what the lot was sold."""
    games = {**registry.all_games(), TINY.slug: TINY}
    monkeypatch.setattr(registry, "all_games", lambda: games)
    (tmp_path / "games" / "tiny").mkdir(parents=True)
    (tmp_path / "games" / "tiny" / "board.html").write_text("<p>sold for {{ view.sold_for }}</p>")
    (tmp_path / "games" / "tiny" / "status.html").write_text("<p>{{ view.phase }} until {{ view.closes }}</p>")
    first, *rest = settings.TEMPLATES
    settings.TEMPLATES = [{**first, "DIRS": [*first["DIRS"], tmp_path]}, *rest]


def tiny_draft(console: Console, host: Any, handles: str = "ann bob cat", **config: Any) -> Match:
    """Make a draft of the tiny game with players; `console` then shows it."""
    match = create_match(TINY.slug, "Small table", hosts=(host,), config=config)
    for position, handle in enumerate(handles.split()):
        Player.objects.create(match=match, handle=handle, is_bot=True, position=position)
    console.match = match
    return match
