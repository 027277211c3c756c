"""The picture of a season, and what a link to its pages shows in a chat."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.models import clock
from matches.services.deadlines import advance
from matches.services.hosting import publish
from seasons.models import Season
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from tests.fixtures.any_game import SLUG

START = datetime(2031, 5, 17, 13, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    host = User.objects.create_user("holly", is_staff=True)
    made = create_season("Autumn", host)
    for name in ("ann", "bob", "cat", "dan"):
        add_member(made, host, name, user=User.objects.create_user(name))
    return made


def begin(season: Season) -> User:
    host = User.objects.get(username="holly")
    running.begin(season, host)
    season.refresh_from_db()
    return host


def tags(season: Season, part: str = "", client: Client | None = None) -> dict[str, str]:
    """The page's preview: property -> content."""
    page = (client or Client()).get(season.get_absolute_url() + part).content.decode()
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)"\s+content="([^"]*)"', page)
    return {name: unescape(content) for name, content in found}


def picture(season: Season, query: str = "", client: Client | None = None, **headers: str) -> Any:
    return (client or Client()).get(f"{season.get_absolute_url()}picture.png{query}", headers=headers)


def test_it_shows_nothing_that_only_some_know(season: Season) -> None:
    """A correction is told to its member alone, until the next match is settled: it moves neither picture nor address,
    and everybody gets the same."""
    with clock.fixed(START):
        host = begin(season)
        before = (tags(season)["og:image"], picture(season).content)
        running.command(season, host, {"correct": {"player": "ann", "asset": "garnet", "amount": 7}, "reason": "Quiz."})
        for name in ("", "ann", "holly"):
            client = Client()
            if name:
                client.force_login(User.objects.get(username=name))
            assert (tags(season, client=client)["og:image"], picture(season, client=client).content) == before


def test_those_who_hide_results_get_none_of_its_standings_before_they_ask(season: Season) -> None:
    client = Client()
    client.post("/results/", {"hide": "1"})
    with clock.fixed(START) as time:
        host = begin(season)
        assert picture(season, client=client).content == picture(season).content
        publish(running.add_match(season, host, SLUG), host)
        time.forward(timedelta(days=2))
        advance(season.matches.get().match_id)
        running.sweep()
        standings, hidden = picture(season), picture(season, client=client)
        assert "Cookie" in standings["Vary"]
        assert hidden["Cache-Control"] == "no-store, private"
        assert hidden.content != standings.content
        time.forward(timedelta(days=1))
        running.sweep()
        assert picture(season).content != standings.content
        assert picture(season, client=client).content == hidden.content
        client.post("/results/show/", {"id": season.public_id, "next": "/"})
        assert picture(season, client=client).content == picture(season).content
