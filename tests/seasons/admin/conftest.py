"""A season's pages as its host uses them."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match
from matches.services.deadlines import sweep
from seasons.models import Season
from seasons.services import running
from tests.admin.conftest import _night, boss, browser_of, clock, host, other_host, person, players, text_of

__all__ = ["_night", "boss", "clock", "host", "other_host", "person", "players"]


class SeasonDesk:
    """One season's console as this person uses it."""

    def __init__(self, user: Any, season: Season | None = None) -> None:
        self.user, self.client, self.season = user, browser_of(user), season

    @property
    def address(self) -> str:
        assert self.season is not None
        return f"/admin/seasons/season/{self.season.pk}"

    def create(self, title: str = "Autumn", **fields: Any) -> Season:
        data = {"title": title, "description": "", "usual_hour": "18:00", "zone": "Europe/Berlin", **fields}
        answer = self.client.post("/admin/seasons/season/add/", data)
        assert answer.status_code == 302, text_of(answer)
        self.season = Season.objects.get(title=title)
        assert answer.headers["Location"] == f"{self.address}/cast/"
        return self.season

    def page(self) -> str:
        answer = self.client.get(f"{self.address}/change/")
        assert answer.status_code == 200, answer.status_code
        return text_of(answer)

    def paste(self, text: str, **more: Any) -> str:
        return text_of(self.client.post(f"{self.address}/cast/", {"cast": text, **more}, follow=True))

    def ask(self, name: str, **fields: Any) -> str:
        """Send a command's form once; return the page that says what will happen or what is wrong."""
        if not fields:
            return text_of(self.client.get(f"{self.address}/do/{name}/", follow=True))
        return text_of(self.client.post(f"{self.address}/do/{name}/", fields, follow=True))

    def confirm(self, name: str, asked: str, **fields: Any) -> str:
        """Press “yes” on the page that says what will happen."""
        assert "What will happen" in asked, asked
        hidden = dict(re.findall(r'<input type="hidden" name="(key|match)" value="([^"]*)"', asked))
        sent = {**fields, **hidden, "_confirm": "1"}
        return text_of(self.client.post(f"{self.address}/do/{name}/", sent, follow=True))

    def do(self, name: str, **fields: Any) -> str:
        """Give a command as a host does: form, consequence, confirmation. Return the page that follows."""
        said = self.confirm(name, self.ask(name, **fields), **fields)
        assert self.season is not None
        if Season.objects.filter(pk=self.season.pk).exists():
            self.season.refresh_from_db()
        return said

    def next_match(self, game: str, preset: str = "", **more: Any) -> Match:
        """Make the next match through its two pages, with everything that they fill in."""
        address = f"{self.address}/next/"
        page = text_of(self.client.get(address, {"game": game, "preset": preset}))
        data: dict[str, Any] = {
            "game": game,
            "preset": preset,
            "title": _value(page, "title"),
            "key": _value(page, "key"),
        }
        data["players"] = re.findall(r'name="players" value="([^"]*)"[^>]* checked', page)
        for field, options in re.findall(r'<select name="(team-[^"]*)".*?>(.*?)</select>', page, re.S):
            data[field] = re.findall(r'value="([^"]*)" selected', options)[0]
        answer = self.client.post(address, {**data, **more})
        assert answer.status_code == 302, text_of(answer)
        assert self.season is not None
        return Match.objects.filter(in_season__season=self.season).latest("pk")


def _value(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, f"there is no field {name}"
    return found[1]


@pytest.fixture
def desk(host: Any) -> SeasonDesk:
    return SeasonDesk(host)


@pytest.fixture
def later(clock: Any) -> Callable[..., None]:
    """Let time pass, then run the sweeps."""

    def pass_time(**span: float) -> None:
        clock.shift(timedelta(**span))
        sweep()
        running.sweep()

    return pass_time
