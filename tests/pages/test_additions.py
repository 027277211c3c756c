"""What other apps add to the pages of a match: shown to the viewer it was made for, and nothing changes without it."""

import pytest
from django.utils.safestring import SafeString

from matches.pages.extensions import Addition, Link, Panel, Tab
from matches.queries.access import Viewer
from tests.fixtures.registered import only
from tests.secrecy.masking import masked
from tests.web.conftest import Table, browser

PAGES = ("", "rules/", "history/", "news/")


@pytest.fixture
def table(db: None, present: object) -> Table:
    return Table(present).open()


def for_players(viewer: Viewer) -> tuple[Addition, ...]:
    if viewer.player is None:
        return ()
    return (
        Tab("whispers", "Whispers", "/whispers/", unread=3),
        Link("Read <all>", "/all/"),
        Link("As a feed", "/feed/", "application/atom+xml"),
        Panel("extra", "More & more", SafeString("<p>inside</p>")),
    )


def broken(viewer: Viewer) -> tuple[Addition, ...]:
    raise RuntimeError("broken beside the board")


def pages(table: Table, name: str | None = None) -> list[str]:
    client = browser(table.users[name] if name else None)
    return [masked(client.look(f"{table.url}{page}"), table.match.public_id) for page in PAGES]


def test_only_the_viewer_it_was_made_for_is_shown_an_addition(table: Table) -> None:
    with only("of_matches"):
        without = pages(table), pages(table, "ann")
    with only("of_matches", for_players):
        assert pages(table) == without[0]
        assert all(now != before for now, before in zip(pages(table, "ann"), without[1], strict=True))


def test_what_fails_is_left_out_and_the_board_is_shown(table: Table) -> None:
    with only("of_matches", broken, for_players):
        page = browser(table.users["ann"]).look(table.url)
    assert "Whispers" in page
    assert 'id="part-board"' in page
