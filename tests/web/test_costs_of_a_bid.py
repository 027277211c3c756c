"""A bid by a form: the match is read once to know who bids and once under its lock, and its board is rendered once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match, Player
from matches.pages import fragments, rendering
from tests.fixtures.any_game import SLUG
from tests.web.conftest import Table, browser

FORM = 13  # six of them write the bid
BOARD = (f"games/{SLUG}/board.html",)


def reads_of(queries: CaptureQueriesContext, model: Any) -> list[str]:
    """The statements that read rows of a table."""
    table = f'"{model._meta.db_table}"'
    return [each["sql"] for each in queries.captured_queries if f"FROM {table}" in each["sql"].replace("`", '"')]


@pytest.mark.parametrize("htmx", [True, False])
def test_the_match_is_not_read_again_after_the_bid(auction: Table, htmx: bool) -> None:
    cat, url = browser(auction.users["cat"]), auction.url
    with CaptureQueriesContext(connection) as queries:
        cat.press(url, "bid", htmx=htmx, seat="X", amount="2")
    assert auction.match.public_version > 1
    bare = [sql for sql in reads_of(queries, Match) if "COUNT(" not in sql]
    assert len(bare) <= 2, bare
    assert len(reads_of(queries, Player)) <= 5


def test_what_a_player_sees_is_never_kept_with_what_everybody_sees(auction: Table) -> None:
    cat, stranger = browser(auction.users["cat"]), browser()
    assert "What counts for you" in cat.look(auction.url)
    assert "What counts for you" not in stranger.look(auction.url)


# -- what the page has to be told --------------------------------------------------------------------


def versions_of(page: str) -> str:
    """What a page says of itself with a form that it sends."""
    found = re.search(r'data-version="(\d+)" data-private-version="(\d+)"', page)
    assert found
    return f"{found[1]} {found[2]}"


def targets(answer: str) -> set[str]:
    return set(re.findall(r'<hx-partial data-hx-target="([^"]+)"', answer))


def send(client: Any, url: str, seen: str, **fields: str) -> str:
    headers = {"HX-Request": "true", "X-Match-Seen": seen}
    response = client.post(f"{url}act/", {"type": "bid", "key": "", **fields}, headers=headers)
    assert response.status_code == 200, response.content
    return str(response.content.decode())


def test_an_answer_brings_only_what_differs_from_the_page_that_sent_the_form(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    seen = versions_of(cat.look(auction.url))
    answer = send(cat, auction.url, seen, seat="X", amount="2")
    board = {each for each in targets(answer) if each.startswith("[data-fragment]")}
    assert "[data-fragment]#lot-X" in board
    assert "[data-fragment]#lot-Z" not in board  # bob's bid is as it was
    # Nobody bids on a seat on which they stand: the form offers one seat less.
    assert targets(answer) - board == {"#part-feed", "#part-purse", "#part-panel", "#part-act", "#key-bid"}
    assert len(answer) < 24_000


def test_it_leaves_the_page_as_one_that_is_opened_then(auction: Table) -> None:
    """What is not sent is the same before and after; only the words of countdowns may differ."""
    cat = browser(auction.users["cat"])
    page = cat.look(auction.url)
    before = cat.get(f"{auction.url}parts/").json()["parts"]
    answer = send(cat, auction.url, versions_of(page), seat="X", amount="2")
    after = cat.get(f"{auction.url}parts/").json()["parts"]
    told = targets(answer)
    for name, html in after.items():
        if f"#part-{name}" in told:
            assert f'<hx-partial data-hx-target="#part-{name}" data-hx-swap="innerMorph">{html}</hx-partial>' in answer
            continue
        changed = fragments.changed(before[name], html)
        assert changed is not None, f"{name} has changed, and nobody is told"
        for ident, text in changed.items():
            assert f'data-hx-target="[data-fragment]#{ident}" data-hx-swap="outerMorph">{text}</hx-partial>' in answer


@pytest.mark.parametrize("seen", ["", "1 1", "x", "999999 3", "3"])
def test_a_page_that_shows_something_else_is_sent_everything(auction: Table, seen: str) -> None:
    cat = browser(auction.users["cat"])
    cat.look(auction.url)
    told = targets(send(cat, auction.url, seen, seat="X", amount="2"))
    assert {f"#part-{name}" for name in (*rendering.PUBLIC_PARTS, *rendering.PRIVATE_PARTS)} <= told


def test_what_another_player_has_been_shown_is_not_taken_for_ones_own(auction: Table) -> None:
    """ann's page has the same versions as cat's might, and cat has opened none."""
    seen = versions_of(browser(auction.users["ann"]).look(auction.url))
    told = targets(send(browser(auction.users["cat"]), auction.url, seen, seat="X", amount="2"))
    assert {f"#part-{name}" for name in rendering.PRIVATE_PARTS} <= told


def test_a_form_and_a_forecast_take_few_queries(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    url = auction.url
    seen = versions_of(cat.look(url))
    with CaptureQueriesContext(connection) as queries:
        send(cat, url, seen, seat="X", amount="2")
    assert len(queries) <= FORM, "\n".join(each["sql"][:150] for each in queries)
    with CaptureQueriesContext(connection) as queries:
        cat.post(f"{url}preview/", {"type": "bid", "seat": "W", "amount": "3"})
    assert len(queries) <= 4, "\n".join(each["sql"][:150] for each in queries)
