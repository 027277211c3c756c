"""What is below the first screen is laid out later: first what comes near, then all (static/js/below.js)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.served import Hands
from tests.browser.shifts import catch_up
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

EMPTY = """() => [...document.querySelectorAll(".main :is(section, .panel, table, textarea)")]
    .filter((part) => !part.checkVisibility({contentVisibilityAuto: true}) && !part.closest("details:not([open])"))
    .length"""
"""How many parts of a page are not laid out yet."""


def wait_for_all(page: Page) -> None:
    page.wait_for_function(f"() => !({EMPTY})()")


@pytest.fixture
def match(person: Callable[..., Any], table: Callable[..., Any]) -> Any:
    bots = [{"handle": f"bot{number}", "name": f"Bot {number}", "is_bot": True, "garnets": 5} for number in (1, 2, 3)]
    return table("A long match", [person("ann")], game="number_auction", free=bots)


def test_all_of_a_long_page_is_laid_out_in_the_end_and_an_address_of_its_end_found(
    visit: Visitors, match: Any, hands: Hands
) -> None:
    while not hands.order("play_on", pk=match["pk"])["is_over"]:
        pass
    page = visit()
    for name in ("result/", "history/", "recap/"):
        page.goto(match["url"] + name)
        assert page.evaluate(EMPTY) > 0, name
        wait_for_all(page)
        last = page.locator("main h2[id]").last.get_attribute("id")
        page.goto("about:blank")
        page.goto(f"{match['url']}{name}#{last}")
        expect(page.locator(f"#{last}")).to_be_in_viewport()


def test_what_is_below_a_board_stays_laid_out_when_a_push_comes(visit: Visitors, match: Any, hands: Hands) -> None:
    for _ in range(3):
        hands.order("play_on", pk=match["pk"])
    page = visit(viewport={"width": 1280, "height": 200})  # as low as it is, nothing below the board is near
    page.goto(match["url"])
    wait_for_all(page)
    more = page.locator("#part-more")
    before = more.inner_html()
    catch_up(page, hands.order("play_on", pk=match["pk"])["version"])
    assert more.inner_html() != before
    assert page.evaluate(EMPTY) == 0
