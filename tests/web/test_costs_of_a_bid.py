"""A bid by a form: the match is read once to know who bids and once under its lock, and its board is rendered once."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.live.snapshots import Key, match_snapshots
from matches.models import Match, Player
from matches.pages import rendering
from tests.web.conftest import Table, browser


def reads_of(queries: CaptureQueriesContext, model: Any) -> list[str]:
    """The statements that read rows of a table."""
    table = f'"{model._meta.db_table}"'
    return [each["sql"] for each in queries.captured_queries if f"FROM {table}" in each["sql"].replace("`", '"')]


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The templates that are rendered as parts, in order; a board has one `status.html` each time."""
    found: list[str] = []
    real = rendering._render

    def counted(template: str, context: dict[str, Any], **more: Any) -> Any:
        found.append(template)
        return real(template, context, **more)

    monkeypatch.setattr(rendering, "_render", counted)
    return found


@pytest.mark.parametrize("htmx", [True, False])
def test_the_match_is_not_read_again_after_the_bid(auction: Table, htmx: bool) -> None:
    cat, url = browser(auction.users["cat"]), auction.url
    with CaptureQueriesContext(connection) as queries:
        cat.press(url, "bid", htmx=htmx, seat="X", amount="2")
    assert auction.match.public_version > 1
    bare = [sql for sql in reads_of(queries, Match) if "COUNT(" not in sql]
    assert len(bare) <= 2, bare
    assert len(reads_of(queries, Player)) <= 5


def test_the_answer_and_the_push_show_a_board_that_was_rendered_once(auction: Table, rendered: list[str]) -> None:
    cat = browser(auction.users["cat"])
    answer = cat.press(auction.url, "bid", htmx=True, seat="X", amount="2").content.decode()
    look = match_snapshots(auction.match_id, (Key("html"),))
    assert rendered.count("matches/parts/status.html") == 1
    assert look is not None
    pushed = look.snapshots[Key("html")].parts["board"]
    assert 'data-amount="2"' in pushed
    assert pushed in answer


def test_the_next_bid_and_the_next_second_are_rendered_anew(auction: Table, rendered: list[str]) -> None:
    cat = browser(auction.users["cat"])
    for seat, amount in (("X", "2"), ("W", "3")):
        answer = cat.press(auction.url, "bid", htmx=True, seat=seat, amount=amount).content.decode()
        assert f'data-amount="{amount}"' in answer
    assert rendered.count("matches/parts/status.html") == 2
    auction.at(30.5)
    cat.look(auction.url)
    assert rendered.count("matches/parts/status.html") == 3


def test_what_a_player_sees_is_never_kept_with_what_everybody_sees(auction: Table) -> None:
    cat, stranger = browser(auction.users["cat"]), browser()
    assert "Your purse" in cat.look(auction.url)
    assert "Your purse" not in stranger.look(auction.url)
