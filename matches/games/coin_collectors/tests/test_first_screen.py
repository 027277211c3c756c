"""In every phase the board, the purse and the act with its button are at hand: on the first screen, in few tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from matches.games.coin_collectors.tests.table import bid
from tests.browser.desk import what_i_can_do
from tests.browser.first_screen import SIZES, covered, shortcomings
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

SEALED = bid({"Bakery": {"silver": 1}, "Smithy": {"gold": 1, "bronze": 1}})
RICH = bid({"Smithy": {"silver": 1}})  # brings ann the most gold and the most coins: she has a token to give away
PHASES: dict[str, dict[str, Any]] = {
    "pregame": {"at": "1h"},
    "first round": {"at": "25h", "moves": [("24h", "ann", SEALED)]},
    "last round": {"at": "121h"},
    "vote": {"at": "145h", "moves": [("24h", "ann", RICH)]},
    "gift": {"at": "147h", "moves": [("24h", "ann", RICH), ("146h", "ann", {"type": "vote", "player": "bob"})]},
    "end": {"at": "300h", "moves": [("24h", "ann", RICH)]},
}


def test_a_player_sees_all_that_a_phase_needs(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gus")]
    page = visit(people[0])
    for phase, state in PHASES.items():
        page.goto(table(f"In the {phase}", people, game="coin_collectors", config={}, **state)["url"])
        assert shortcomings(page, acts=phase not in ("pregame", "end")) == [], phase


@pytest.mark.parametrize("size", SIZES, ids=["desk", "phone"])
def test_what_would_be_used_up_for_nothing_leaves_room_for_the_fields(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], size: tuple[int, int]
) -> None:
    people = [person(name) for name in ("ann", "bob", "cat", "dan")]
    page = visit(people[0], viewport={"width": size[0], "height": size[1]})
    page.goto(table("For nothing", people, game="coin_collectors", config={}, at="25h")["url"])
    sheet = what_i_can_do(page)
    sheet.get_by_role("spinbutton", name="silver on").first.fill("1")
    sheet.get_by_text("Lift a limit", exact=True).click()
    for lift in sheet.locator(".tray--lift").get_by_role("checkbox").all():
        lift.check()
    expect(page.locator("#forecast-bid").get_by_role("listitem")).to_have_count(2)
    expect(page.locator("#forecast-bid")).to_be_in_viewport(ratio=1)
    assert covered(page, "beside a long forecast") == []
