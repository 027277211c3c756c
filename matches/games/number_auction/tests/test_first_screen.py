"""In every phase the board, the purse and the act with its button are at hand: on the first screen, in few tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from matches.games.number_auction.tests.table import ASCENDING, bid, one_each
from tests.browser.desk import what_i_can_do
from tests.browser.first_screen import SIZES, shortcomings
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

BIDS = [("1h", "ann", one_each(1, 2, 3)), ("2h", "bob", bid({4: 9})), ("25h", "ann", bid({6: 30, 7: 40, 8: 90}))]
ONE_ROUND = {"rounds": 1, "numbers_per_round": 50}
PHASES: dict[str, dict[str, Any]] = {
    "pregame": {"config": {"pregame": "48h"}, "at": "1h"},
    "running": {"config": {"numbers": ASCENDING}, "at": "26h", "moves": BIDS},
    "decision": {"config": ONE_ROUND, "at": "25h", "moves": [("1h", "ann", one_each(1, 2))]},
    "finished": {"config": ONE_ROUND, "at": "100h", "moves": [("1h", "ann", one_each(1, 2))]},
}


def test_a_player_sees_all_that_a_phase_needs(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in ("ann", "bob", "cat", "dan")]
    page = visit(people[0])
    for phase, state in PHASES.items():
        page.goto(table(f"In the {phase}", people, game="number_auction", **state)["url"])
        assert shortcomings(page, acts=phase in ("running", "decision")) == [], phase


@pytest.mark.parametrize("size", SIZES, ids=["desk", "phone"])
def test_what_bids_would_bring_is_on_the_first_screen_and_whom_else(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], size: tuple[int, int]
) -> None:
    people = [person(name) for name in ("ann", "bob", "cat", "dan")]
    page = visit(people[0], viewport={"width": size[0], "height": size[1]})
    page.goto(table("To weigh", people, game="number_auction", **PHASES["running"])["url"])
    at_a_desk = not page.locator(".move-bar > button").is_visible()
    sheet = what_i_can_do(page)
    # At a desk it stands on the numbers themselves, on a phone in the sheet.
    others = page.locator(".na-play__others" if at_a_desk else ".na-worth--others")
    expect(others).to_have_count(5)
    for each in others.all():
        expect(each).to_be_in_viewport(ratio=1)
        whom = each.locator(".na-worth__one")
        expect(whom).to_have_count(3)
        for one in whom.all():  # a tile cuts what is too much
            expect(one).to_be_in_viewport(ratio=0.9)
    sheet.get_by_role("spinbutton").first.fill("7")
    expect(page.locator("#forecast-bid")).to_contain_text("If all that fit win")
    expect(page.locator("#forecast-bid")).to_be_in_viewport(ratio=1)
    try_numbers = sheet.get_by_role("link", name="Try numbers")
    expect(try_numbers).to_be_in_viewport(ratio=1)
    try_numbers.click()
    expect(page.locator(".na-try__one").first).to_be_in_viewport(ratio=1)
