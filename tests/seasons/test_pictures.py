"""The picture of a season, and what a link to its pages shows in a chat."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.models import Match, clock
from matches.pages.headline import Headline
from matches.pages.pictures import draw
from matches.services.deadlines import advance
from matches.services.hosting import publish
from seasons.engine.state import DEATH_MATCH
from seasons.models import Season
from seasons.pages import pictures
from seasons.pages.headline import headline_of
from seasons.pages.pictures import Scene, scene_of
from seasons.queries import standing
from seasons.queries.standing import CastLine, Now
from seasons.services import advancing, ending, running
from seasons.services.drafting import add_member, create_season
from tests.fixtures.any_game import SLUG
from tests.pages.svg import faults_of, size_of
from tests.pages.test_pictures import NAMES

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


def test_a_link_says_what_is_going_on_and_has_a_picture(season: Season, settings: Any) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://genius.example.org", ["*"]
    with clock.fixed(START):
        host = begin(season)
        found = tags(season)
        assert found["og:title"] == "Autumn · Between matches"
        assert found["og:description"] == "Season: Between matches · 4 of 4 members in"
        assert found["og:url"] == f"https://genius.example.org{season.get_absolute_url()}"
        assert found["twitter:card"] == "summary_large_image"
        assert tags(season, "story/")["og:title"] == "Story of Autumn · Between matches"
        publish(running.add_match(season, host, SLUG), host, starts_at=START + timedelta(days=1))
        assert "begins Sun 18 May, 13:00 UTC" in tags(season)["og:description"]
        image = tags(season)["og:image"]
        assert image.startswith(f"https://genius.example.org{season.get_absolute_url()}picture.png?v=")
        answer = picture(season, image[image.index("?") :])
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer["Cache-Control"] == "public, max-age=600"
    assert size_of(answer.content) == (1200, 630)


def test_who_has_it_is_not_sent_it_again_until_something_happens(season: Season) -> None:
    with clock.fixed(START) as time:
        host = begin(season)
        first = picture(season)
        assert first["Cache-Control"] == "public, no-cache"
        time.forward(timedelta(days=3))
        assert picture(season, **{"If-None-Match": first["ETag"]}).status_code == 304
        running.command(season, host, {"out": "bob", "reason": "He has moved away."})
        assert picture(season, **{"If-None-Match": first["ETag"]}).status_code == 200


def test_a_draft_has_neither(season: Season) -> None:
    host = Client()
    host.force_login(User.objects.get(username="holly"))
    assert picture(season).status_code == picture(season, client=host).status_code == 404
    assert tags(season, client=host) == {}


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
        advancing.sweep()
        standings, hidden = picture(season), picture(season, client=client)
        assert "Cookie" in standings["Vary"]
        assert hidden["Cache-Control"] == "no-store, private"
        assert hidden.content != standings.content
        time.forward(timedelta(days=1))
        advancing.sweep()
        assert picture(season).content != standings.content
        assert picture(season, client=client).content == hidden.content
        client.post("/results/show/", {"id": season.public_id, "next": "/"})
        assert picture(season, client=client).content == picture(season).content


def test_the_line_follows_the_season(season: Season) -> None:
    with clock.fixed(START) as time:
        host = begin(season)
        match = running.add_match(season, host, SLUG)
        Match.objects.filter(pk=match.pk).update(seed="00" * 32)
        match.refresh_from_db()
        publish(match, host)
        assert _line(season) == f"Match 1 · {match.title} · 4 of 4 members in"
        time.forward(timedelta(days=2))
        advance(match.pk)
        advancing.sweep()
        assert _line(season) == "cat in danger · opponent named until Tue 20 May, 13:00 UTC · 4 of 4 members in"
        time.forward(timedelta(days=1))
        advancing.sweep()
        assert re.fullmatch(r"Death Match · between cat and \w+ · 4 of 4 members in", _line(season))
        ending.end(season, host, "Enough.")
        assert _line(season) == (
            "Ended · ann, bob, cat and dan share the first place · Tue 20 May, 13:00 UTC · 4 members"
        )


def _line(season: Season) -> str:
    season.refresh_from_db()
    state = standing.state_of(season)
    return scene_of(season, state, standing.standings(season, state)).headline.line


@pytest.mark.parametrize("count", [0, 1, 2, 8, 20, 60])
@pytest.mark.parametrize("status", ["in", "out", "withdrawn"])
def test_any_cast_fits_and_nothing_of_a_name_is_markup(count: int, status: str) -> None:
    cast = [
        CastLine(f"m{n}", f"{NAMES[n % len(NAMES)]}{n}", "", False, False, "", status, n or None, _account(10**n), n)
        for n in range(count)
    ]
    season = Season(public_id="s", title="</svg>" + "W" * 110, status=Season.Status.RUNNING)
    headline = headline_of(season, cast, [], Now(DEATH_MATCH, between=("m0", "m1")))
    svg = pictures.drawing_of(Scene("s", season.title, headline, tuple(map(pictures._line, cast)))).svg
    assert faults_of(svg, smallest=8) == []
    assert "<script" not in svg
    assert size_of(draw(svg)) == (1200, 630)


def _account(garnets: int) -> dict[str, int | str]:
    return {"garnet": garnets, "priority": 0, "blood_garnet": "0.0000"}


def test_two_scenes_that_look_alike_have_one_address() -> None:
    one, same = (Scene("s", "Autumn", Headline("Ended", ("nobody wins",)), ()) for _ in range(2))
    assert one.picture_path == same.picture_path
    assert one.picture_path != Scene("s", "Autumn", Headline("Ended", ("ann wins",)), ()).picture_path
