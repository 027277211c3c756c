"""A phone, also a small one and one far from UTC: what has little room is whole, and nothing lies over words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.first_screen import LINE
from tests.browser.hosts_forms import HostsForms
from tests.browser.served import Server
from tests.fixtures.chromium import PHONE, Visitors

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat")
SMALL = {"width": 320, "height": 568}
ONE_ROW = 60
DESK = {"width": 1280, "height": 900}
PADDING = 12
"""Inside a button, around its drawing."""
FAR = {"timezone_id": "Asia/Kathmandu"}
SEALED = {"at": "1h", "moves": [("1h", "ann", {"type": "bid", "seat": "V", "amount": 3})]}

_WORDS_BELOW_THE_LINE = """() => {
    const line = document.querySelector(".match-line"), end = line.getBoundingClientRect().bottom;
    const range = document.createRange();
    range.selectNodeContents(line.querySelector(".deadline-bar"));
    return [...range.getClientRects()].filter((words) => words.width && words.bottom > end).length;
}"""


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
def test_until_when_is_whole_in_the_readers_own_time_too(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], size: dict[str, int]
) -> None:
    page = visit(viewport=size, **FAR)
    page.goto(table("Far away", [person(name) for name in NAMES], **SEALED)["url"])
    expect(page.locator(".match-line")).to_contain_text("your time")
    assert page.locator(".match-line").evaluate("(line) => line.offsetHeight") <= LINE
    assert page.evaluate(_WORDS_BELOW_THE_LINE) == 0


@pytest.mark.parametrize("size", [PHONE, SMALL, DESK], ids=["phone", "small", "desk"])
def test_a_pause_is_whole_in_the_line_at_the_head(
    visit: Visitors,
    server: Server,
    host: dict[str, Any],
    person: Callable[..., Any],
    table: Callable[..., Any],
    size: dict[str, int],
) -> None:
    people = [person(name) for name in NAMES]
    match = table("Stopped", people, **SEALED)
    HostsForms(server, host, match).do("pause")
    page = visit(people[1], viewport=size)
    page.goto(match["url"])
    expect(page.locator("#part-asked")).not_to_contain_text("closes")  # in a bar of three lines, and without its time
    assert page.evaluate(_WORDS_BELOW_THE_LINE) == 0
    page = visit(viewport=size, **FAR)
    page.goto(match["url"])
    until = page.locator(".match-line .paused + span")
    expect(until).to_contain_text(re.compile(r"until .+, \d\d:\d\d UTC \(.+ your time\)"))
    expect(until).to_be_in_viewport(ratio=1)
    expect(page.locator(".match-line")).to_contain_text("paused since")
    assert page.evaluate(_WORDS_BELOW_THE_LINE) == 0


def test_a_phones_menu_at_a_match_has_the_sites_links_and_no_notice_covers_them(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    page = visit(people[0], viewport=SMALL)
    page.goto(table("One row", people, **SEALED)["url"])
    expect(page.locator(".notice-card")).to_be_attached()  # that it begins
    assert page.locator(".masthead").evaluate("(head) => head.offsetHeight") <= ONE_ROW
    for link in ("My matches", "Profile"):
        page.get_by_role("navigation", name="Site").get_by_role("link", name=link).click(trial=True)
    page.mouse.wheel(0, 500)
    page.get_by_role("button", name="Parts of this match").click()
    menu = page.get_by_role("navigation", name="Parts of this match")
    for link in ("Matches", "My matches", "Games", "Profile"):
        expect(menu.get_by_role("link", name=link, exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}], ids=["upright", "on its side"])
def test_a_place_is_offered_beside_the_words_on_the_felt(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], size: dict[str, int]
) -> None:
    page = visit(person("dan"), viewport=size)
    page.goto(table("Places left", [person("ann")], joining="open", places=9)["url"])
    offer = page.locator(".table__offer").bounding_box()
    words = page.locator(".board--waiting > *").last.bounding_box()
    assert offer
    assert words
    assert words["y"] + words["height"] <= offer["y"]


def test_a_phone_says_which_page_of_a_match_it_shows(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    match = table("Where am I", [person(name) for name in NAMES], **SEALED)
    page = visit(viewport=PHONE)
    for path, name in (("rules/", "Rules"), ("history/", "History"), ("talk/", "Talk")):
        page.goto(f"{match['url']}{path}")
        expect(page.locator(".match-line").get_by_text(name, exact=True).first).to_be_in_viewport()


def test_on_a_small_phone_time_and_phase_lie_under_no_button(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    page = visit(viewport=SMALL)
    page.goto(table("Beside buttons", [person(name) for name in NAMES], **SEALED)["url"])
    left = page.locator(".match-line .deadline__left").first.bounding_box()
    buttons = page.locator(".match-line__more").bounding_box()
    assert left
    assert buttons
    assert left["x"] + left["width"] <= buttons["x"] + PADDING


ASKS = 11
LONGEST = 1200
FULL = 3


def test_what_somebody_is_asked_in_many_matches_fits_a_few_screens_of_a_phone(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    for number in range(ASKS):
        table(f"Number {number} of the tables with a long name", people, at="1h")
    page = visit(people[0], viewport=PHONE)
    page.goto("/")
    rows = page.locator(".asking__one")
    expect(rows).to_have_count(ASKS)
    asking = page.locator(".asking").bounding_box()
    assert asking
    assert asking["height"] <= LONGEST
    for cards in page.locator(".cards").all():
        assert cards.locator(".match-card:visible").count() <= FULL
    for row in (rows.first, rows.last):
        for words in (".asking__what", ".asking__act", ".deadline__left"):
            expect(row.locator(words)).to_be_visible()
    heights = [box["height"] for box in (row.bounding_box() for row in rows.all()) if box]
    assert min(heights) >= 44
    assert max(heights[FULL:]) <= 80
    rows.last.click(position={"x": 20, "y": 40})  # the whole row is its link
    page.wait_for_url("**/matches/**")
