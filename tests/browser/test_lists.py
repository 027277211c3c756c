"""The list of all matches on a phone: a row for each, with what people look for in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import sticking_out
from tests.browser.served import Hands
from tests.fixtures.chromium import PHONE, Visitors

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat")
BOTS = [{"handle": f"bot{number}", "name": f"Bot {number}", "is_bot": True, "garnets": 5} for number in (1, 2)]
HIGHEST = 130
"""Pixels of a row of four or five small lines."""
FINGER = 44


@pytest.mark.parametrize("width", [PHONE["width"], 320])
def test_each_match_is_a_row_that_says_what_it_is(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], hands: Hands, width: int
) -> None:
    people = [person(name) for name in NAMES]
    over = table("Over", people[:1], free=[dict(bot) for bot in BOTS])
    for _ in range(200):
        if hands.order("play_on", pk=over["pk"])["is_over"]:
            break
    going = table("Going on", people, at="25h")
    coming = table("Places left", people[:1], joining="open", places=9)
    page = visit(viewport={"width": width, "height": PHONE["height"]})
    page.goto("/matches/")
    rows = {
        name: page.locator(".match-card").filter(has=page.locator(f'a[href="{each["url"]}"]'))
        for name, each in (("over", over), ("going", going), ("coming", coming))
    }
    expect(rows["over"]).to_contain_text("finished")
    expect(rows["over"].locator(".mini__words > p").first).to_be_visible()
    expect(rows["going"]).to_contain_text("running")
    expect(rows["coming"]).to_contain_text("places left")
    expect(rows["coming"].get_by_text("1 of 9 places taken")).to_be_visible()
    for name in ("going", "coming"):
        expect(rows[name].locator(".deadline__left")).to_be_visible()
    heights = [row.evaluate("(row) => row.offsetHeight") for row in rows.values()]
    assert max(heights) <= HIGHEST
    assert min(heights) >= FINGER
    assert sticking_out(page) == ""
    rows["over"].click(position={"x": 20, "y": 10})  # the whole row is its link
    page.wait_for_url(f"**{over['url']}")


def test_who_needs_large_letters_can_read_a_row(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    table("Places left for those who come", [person("ann")], joining="open", places=9)
    page = visit(viewport=PHONE)
    page.goto("/matches/")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert sticking_out(page) == ""
