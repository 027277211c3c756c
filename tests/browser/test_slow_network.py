"""On a slow network one sees that a move is being sent, hears it, and sends it once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import fill_bid, lot
from tests.browser.looks import Camera
from tests.fixtures.chromium import DESKTOP, PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_move_whose_answer_takes_long_says_that_it_is_being_sent(
    visit: Visitors,
    camera: Camera,
    person: Callable[..., Any],
    table: Callable[..., Any],
    viewport: dict[str, int],
) -> None:
    ann = person("ann")
    match = table("Slow line", [ann, person("bob"), person("cat")], at="25h")
    page = visit(ann, viewport=viewport)
    held: list[Route] = []
    page.route("**/act/", lambda route: held.append(route))
    page.goto(match["url"])
    button = fill_bid(page, "R", 2).get_by_role("button", name="Bid 2 on R", exact=True)
    button.click()
    expect(button).to_have_attribute("data-sending", "")
    expect(page.locator("#live-region")).to_contain_text("Still sending…")
    camera.shoot(page, f"sending-{viewport['width']}")
    button.click()  # somebody who is impatient
    assert len(held) == 1
    held[0].continue_()
    expect(lot(page, "R")).to_have_attribute("data-amount", "2")
    expect(page.locator("[data-sending]")).to_have_count(0)
    page.unroute_all()
