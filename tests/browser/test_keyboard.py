"""The table without a mouse, and the clock that a browser's own cannot move."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import lot
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def at_board(visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]) -> Page:
    """Ann's page in an auction on the board R S T / U V W / X Y Z."""
    ann = person("ann")
    match = table("Keys", [ann, person("bob"), person("cat")], at="25h")
    page = visit(ann)
    page.goto(match["url"])
    expect(lot(page, "R")).to_have_attribute("tabindex", "0")
    return page


def test_the_board_is_one_stop_and_focus_can_be_seen(at_board: Page) -> None:
    lot(at_board, "V").focus()
    expect(at_board.locator('[data-board] [tabindex="0"]')).to_have_count(1)
    at_board.keyboard.press("Tab")
    assert not at_board.evaluate("document.activeElement.matches('[data-lot]')")
    at_board.keyboard.press("Shift+Tab")
    expect(lot(at_board, "V")).to_be_focused()
    style = "getComputedStyle(document.activeElement)"
    assert at_board.evaluate(f"{style}.outlineStyle") != "none"
    assert float(at_board.evaluate(f"{style}.outlineWidth").removesuffix("px")) >= 2


def test_tab_comes_to_each_link_of_the_site_and_of_the_match(at_board: Page) -> None:
    links = at_board.locator(".masthead a, .match-line a").filter(visible=True)
    names = links.evaluate_all("(all) => all.map((one) => one.href)")
    links.first.focus()
    met = []
    for _ in names:
        met.append(at_board.evaluate("document.activeElement.href"))
        at_board.keyboard.press("Tab")
    assert met == names


def test_enter_opens_the_form_of_a_seat_and_a_bid_needs_no_mouse(at_board: Page) -> None:
    lot(at_board, "V").focus()
    at_board.keyboard.press("Enter")
    amount = at_board.get_by_role("spinbutton", name="Chips")
    expect(amount).to_be_focused()
    expect(at_board.get_by_label("Seat")).to_have_value("V")
    expect(amount).to_have_value("1")
    at_board.keyboard.press("Enter")
    expect(lot(at_board, "V")).to_have_attribute("data-amount", "1")


def test_the_countdown_goes_by_the_servers_clock(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    """The auction opens in 20 h; a browser whose clock is an hour wrong says so, too."""
    match = table("Clocks", [person("ann"), person("bob"), person("cat")], at="4h")
    page = visit(timezone_id="Europe/Berlin", own=True)
    page.add_init_script("""{
        const real = Date, wrong = 3600e3;
        const Wrong = class extends real {
            constructor(...given) { given.length ? super(...given) : super(real.now() + wrong); }
            static now() { return real.now() + wrong; }
        };
        window.Date = Wrong;
    }""")
    page.goto(match["url"])
    left = page.locator("#part-status [data-deadline-left]").last
    expect(left).to_have_text(re.compile(r"^in 19 h 5\d min$"))
    expect(page.locator("#part-status [data-deadline-local]").last).to_contain_text("your time")
