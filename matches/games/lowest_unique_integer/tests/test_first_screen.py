"""In every phase board, purse and form with its button are at hand, on the first screen and in few tabs; what is typed
lies on the board."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from matches.games.lowest_unique_integer.tests.table import bid
from tests.browser.desk import lot
from tests.browser.first_screen import SIZES, shortcomings
from tests.browser.looks import as_before
from tests.browser.served import Hands
from tests.fixtures.chosen import one_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

_HOLD_ANSWERS = """() => {
    const [real, held] = [fetch, new Promise((come) => (window.letThemCome = come))];
    window.fetch = (...request) => real(...request).then((answer) => held.then(() => answer));
}"""

pytestmark = pytest.mark.browser

FONTS = ("DejaVu Sans", "Liberation Sans", "Noto Sans")
"""The widest and the narrowest that people usually have: no page names one, so the reader's own is used."""
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
BIDS = [
    ("1h", "ann", bid("R", 3)),
    ("25h", "bob", bid("P", 1)),
    ("26h", "cat", bid("Z", 10)),
    ("27h", "ann", bid("Z", 11)),
]
F8 = {"variant": "F8"}
NAMED = [  # ann wins with 1 on Y; bob has two seats beside it, and one of two tokens to give to eve or fay
    ("25h", "ann", bid("Y", 1)),
    ("25h", "bob", bid("Z", 3)),
    ("25h", "bob", bid("X", 4)),
    ("25h", "cat", bid("S", 6)),
    ("25h", "cat", bid("V", 2)),
    ("50h", "ann", {"type": "name_candidate", "player": "dan"}),
]
PHASES: dict[str, dict[str, Any]] = {
    "sealed bids": {"at": "2h", "moves": BIDS[:1]},
    "own bid": {"at": "25h30m", "moves": BIDS[:2]},
    "auction": {"at": "49h30m", "moves": BIDS},
    "gift": {"at": "51h", "config": F8, "moves": NAMED},
    "finished": {"at": "20d", "moves": BIDS},
}


def test_all_that_one_plays_with_is_on_the_first_screen(
    visit: Callable[..., Any], person: Callable[..., Any], host: dict[str, Any], hands: Hands
) -> None:
    people = [person(name) for name in NAMES]
    places = [{"handle": each["handle"], "username": each["name"], "garnets": 9} for each in people]
    page = visit(people[1])
    for phase, details in one_in(2, list(PHASES.items())):
        facts = {"title": "Night market", "host": host["name"], "config": {"variant": "F11"}, **details}
        page.goto(hands.order("table", people=places, **facts)["url"])
        assert shortcomings(page, acts=phase != "finished") == [], phase
        if phase == "sealed bids":
            a_sealed_bid_lies_hatched_on_its_seat(page)
        if phase == "own bid":
            a_bid_makes_no_row_higher(page)
        if phase == "auction":
            a_bid_lies_on_its_seat(page)


def a_sealed_bid_lies_hatched_on_its_seat(page: Page) -> None:
    """Bob's own; ann's shows nowhere."""
    sheet = page.get_by_role("region", name="What you can do")
    sheet.get_by_label("Seat").select_option("T")
    sheet.get_by_role("spinbutton", name="Chips").fill("7")
    sheet.get_by_role("button", name="Seal 7 on T").click()
    expect(lot(page, "T")).to_contain_text("7 sealed")
    expect(page.locator("#board")).not_to_contain_text("3 sealed")
    it_can_be_changed_on_the_board(page)


def it_can_be_changed_on_the_board(page: Page) -> None:
    """From what was sealed on; also in its seat alone, and then it is kept as not sent."""
    unsent = page.locator("#unsent-line")
    page.reload()
    seat = page.get_by_role("combobox", name="Seat")
    expect(seat).to_have_value("T")
    expect(unsent).to_be_empty()
    # A phone has minus and plus in the sheet, so the board shows what is sealed and what is not sent in the same place.
    desk, on_board = page.viewport_size, page.locator(".on-board")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(on_board).to_be_hidden()
    page.set_viewport_size(desk)
    page.get_by_role("button", name="One more on T").click()
    expect(unsent.locator("> span")).to_have_text("Not sent yet: 8 on T (sealed: 7 on T)")
    unsent.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("spinbutton", name="Chips")).to_have_value("7")
    unsent.get_by_role("button", name="Undo").click()
    expect(unsent.locator("> span")).to_have_text("Not sent yet: 8 on T (sealed: 7 on T)")
    unsent.get_by_role("button", name="Discard").click()
    lot(page, "U").click()
    expect(unsent.locator("> span")).to_have_text("Not sent yet: 7 on U (sealed: 7 on T)")
    page.reload()
    expect(unsent.locator("> span")).to_have_text("Not sent yet: 7 on U (sealed: 7 on T)")
    expect(seat).to_have_value("U")
    page.get_by_role("button", name="Seal 7 on U").click()
    expect(lot(page, "U")).to_contain_text("7 sealed")
    expect(unsent).to_be_empty()
    expect(seat).to_have_value("U")
    chips = page.get_by_role("spinbutton", name="Chips")
    chips.fill("9")
    expect(unsent).to_contain_text("9 on U")
    chips.fill("")  # nothing would be sent
    expect(unsent).to_be_empty()
    chips.fill("9")
    what_is_typed_before_an_answer_stays(page)
    expect(page.locator("#answer")).to_contain_text("You took your sealed bid back")
    expect(unsent).to_contain_text("4 on T")
    page.get_by_role("button", name="Seal 4 on T").click()
    expect(lot(page, "T")).to_contain_text("4 sealed")
    chips.fill("9")
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#board")).not_to_contain_text("4 sealed")
    expect(unsent).to_be_empty()
    expect(chips).to_have_value("")


def what_is_typed_before_an_answer_stays(page: Page) -> None:
    """A push shows that the bid is taken back, and the next one is typed before the answer says so."""
    page.evaluate(_HOLD_ANSWERS)
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#board")).not_to_contain_text("7 sealed")
    lot(page, "T").click()
    page.get_by_role("spinbutton", name="Chips").fill("4")
    page.evaluate("letThemCome()")


def a_bid_makes_no_row_higher(page: Page) -> None:
    """Also one of one's own, the lowest, on a seat with two prizes, whose time takes two lines."""
    expect(lot(page, "P")).to_contain_text("lowest")
    expect(lot(page, "P").locator('[data-mine="yours"]')).to_be_visible()
    with as_before(page):
        for (width, height), font in product(SIZES, FONTS):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("(font) => document.documentElement.style.setProperty('--sans', font)", font)
            heights = page.eval_on_selector_all("#board .lot", "(seats) => seats.map((seat) => seat.offsetHeight)")
            assert len(set(heights)) == 1, (width, font, heights)
    page.reload()


def a_bid_lies_on_its_seat(page: Page) -> None:
    lot(page, "T").click()
    amount = page.get_by_role("spinbutton", name="Chips")
    expect(page.locator(".on-board")).to_contain_text("2")
    page.get_by_role("button", name="One more on T").click()
    expect(amount).to_have_value("3")
    expect(page.locator(".on-board__number")).to_have_text("3")
    over, seat = page.locator(".on-board").bounding_box(), lot(page, "T").bounding_box()
    assert over is not None
    assert seat is not None
    assert seat["x"] <= over["x"]
    assert over["y"] + over["height"] <= seat["y"] + seat["height"]
    amount.fill("24")
    page.get_by_role("button", name="Bid 24 on T").click()
    expect(page.locator("#bid-amount-error")).to_contain_text("Not sent.")
    page.get_by_role("button", name="Buy 5 chips for 5 garnets").click()
    expect(page.locator("#forecast-bid")).to_contain_text("24 is free: your bid would stand on T")
