"""A bid by a form: the match is read once to know who bids and once under its lock, and its board is rendered once."""

from __future__ import annotations

import re
from typing import Any

from matches.pages import fragments
from tests.fixtures.any_game import SLUG
from tests.web.conftest import Table, browser

BOARD = (f"games/{SLUG}/board.html",)


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
