"""A phone whose reader has letters twice as large: the head of a page leaves room for what it stands above, and can be
read and pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import sticking_out
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat")
PLAYING = {"at": "25h", "moves": [("25h", "ann", {"type": "bid", "seat": "R", "amount": 1})]}
THIRD = PHONE["height"] * 0.36

_UNDER_BUTTONS = """() => {
    const boxes = [...document.querySelectorAll(".match-line__more > *")].map((each) => each.getBoundingClientRect());
    const words = document.createRange();
    return [...document.querySelectorAll(".match-line__title, .deadline-bar > *, .deadline > *")].filter((each) => {
        words.selectNodeContents(each);
        return each.checkVisibility() && [...words.getClientRects()].some((line) => boxes.some((box) =>
            line.right > box.left + 1 && line.left < box.right && line.bottom > box.top + 1 && line.top < box.bottom));
    }).map((each) => each.textContent.trim());
}"""
_END = "(box) => box.getBoundingClientRect().bottom"


def enlarge(page: Page, size: str = "200%") -> None:
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("(size) => { document.documentElement.style.fontSize = size }", size)


@pytest.fixture
def players(person: Callable[..., Any]) -> list[dict[str, Any]]:
    return [person(name) for name in NAMES]


def test_the_head_of_a_match_takes_a_third_of_the_screen(
    visit: Visitors, players: list[dict[str, Any]], table: Callable[..., Any]
) -> None:
    match = table("Large letters", players, **PLAYING)
    for who in (None, players[0]):
        page = visit(who, viewport=PHONE)
        page.goto(match["url"])
        enlarge(page)
        assert page.locator(".match-line").evaluate(_END) <= THIRD


@pytest.mark.parametrize("size", ["125%", "150%", "175%", "200%"])
def test_the_words_in_it_lie_under_nothing_and_above_its_end(
    visit: Visitors, players: list[dict[str, Any]], table: Callable[..., Any], size: str
) -> None:
    page = visit(viewport=PHONE, timezone_id="Asia/Kathmandu")
    page.goto(table("Large letters", players, **PLAYING)["url"])
    expect(page.locator(".match-line")).to_contain_text("your time")
    enlarge(page, size)
    assert page.evaluate(_UNDER_BUTTONS) == []
    end = page.locator(".match-line").evaluate(_END)
    assert page.locator(".match-line .deadline-bar").evaluate(_END) <= end
    assert sticking_out(page) == ""


@pytest.mark.parametrize("name", ["", "ann"], ids=["stranger", "player"])
def test_the_links_of_the_site_take_two_rows(visit: Visitors, person: Callable[..., Any], name: str) -> None:
    page = visit(person(name) if name else None, viewport=PHONE)
    page.goto("/")
    enlarge(page)
    links = page.locator(".masthead a").filter(visible=True)
    assert page.locator(".masthead").evaluate(_END) <= 2 * 48 + 8
    for link in links.all():
        box = link.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
