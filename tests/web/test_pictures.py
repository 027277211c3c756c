"""The picture of a match in the browser, and the previews of links to its pages."""

import re
from html import unescape

import pytest
from django.test import Client

from matches.models import Match, clock
from tests.fixtures.any_game import GAME
from tests.pages.svg import size_of
from tests.web.conftest import Table

pytestmark = pytest.mark.django_db


def picture(table: Table, query: str = "", **headers: str) -> object:
    return Client().get(f"{table.url}picture.png{query}", headers=headers)


def tags(page: str) -> dict[str, str]:
    """The page's preview: property -> content."""
    return {
        name: unescape(content)
        for name, content in re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)"\s+content="([^"]*)"', page)
    }


@pytest.fixture
def table(present: clock.FixedTime) -> Table:
    return Table(present)


def test_a_visitor_gets_the_board_as_a_picture(table: Table) -> None:
    table.open().at(25).bid("ann", "Z", 3)
    version = table.match.public_version
    answer = picture(table, f"?v={version}")
    assert answer.status_code == 200  # type: ignore[attr-defined]
    assert answer["Content-Type"] == "image/png"  # type: ignore[index]
    assert answer["Cache-Control"] == "public, max-age=600"  # type: ignore[index]
    assert size_of(answer.content) == (1200, 630)  # type: ignore[attr-defined]
    assert picture(table, "?v=1")["Cache-Control"] == "public, no-cache"  # type: ignore[index]


def test_a_link_says_what_is_going_on(table: Table, settings: object) -> None:
    settings.SITE_URL = "https://genius.example.org"  # type: ignore[attr-defined]
    Match.objects.filter(pk=table.match_id).update(title='Night "table" <b>')
    table.open().at(25).bid("ann", "Z", 3)
    for host in ("testserver", "evil.example"):
        settings.ALLOWED_HOSTS = ["*"]  # type: ignore[attr-defined]
        shown = tags(Client().get(table.url, headers={"Host": host}).content.decode())
        assert shown["og:title"] == 'Night "table" <b> · Auction'
        assert shown["og:url"] == f"https://genius.example.org{table.url}"
        version = table.match.public_version
        assert shown["og:image"] == f"https://genius.example.org{table.url}picture.png?v={version}"
        assert re.fullmatch(
            rf"{GAME.title}: Auction · [a-z ]+ \w+ \d+ \w+, \d\d:\d\d UTC · 3 players",
            shown["og:description"],
        )
        assert shown["og:image:alt"] == shown["twitter:image:alt"]
        assert shown["twitter:card"] == "summary_large_image"
