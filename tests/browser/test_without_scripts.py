"""Everything that matters works where scripts do not run: forms are posted, and the next page says what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import lot
from tests.browser.looks import Camera
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "desktop"])
def test_a_player_bids_by_plain_forms(
    visit: Visitors, camera: Camera, person: Callable[..., Any], table: Callable[..., Any], viewport: dict[str, int]
) -> None:
    ann = person("ann")
    match = table("Plain table", [ann, person("bob"), person("cat")], at="25h")
    page = visit(ann, java_script_enabled=False, viewport=viewport)
    page.goto(match["url"])
    opener = page.get_by_role("link", name="Your move…")
    assert opener.is_visible() == (viewport == PHONE)
    if opener.is_visible():
        opener.click()
        expect(page.get_by_label("Seat")).to_be_in_viewport()
    lot(page, "T").click()
    expect(page.get_by_label("Seat")).to_have_value("T")
    page.get_by_role("spinbutton", name="Chips").fill("99")
    page.get_by_role("button", name="Place this bid").click()
    amount = page.get_by_role("spinbutton", name="Chips")
    expect(amount).to_have_value("99")
    expect(page.locator(".field__error").first).to_be_in_viewport()
    expect(page.locator(f"#{amount.get_attribute('aria-describedby')}")).to_contain_text("16")
    camera.shoot(page, f"plain-refused-{viewport['width']}")
    amount.fill("4")
    page.get_by_role("button", name="Place this bid").click()
    expect(page.get_by_text("Bid 4 on T placed")).to_be_in_viewport()
    expect(lot(page, "T").locator('[data-mine="yours"]')).to_be_visible()
    expect(page.get_by_role("region", name="Your purse")).to_contain_text("12")


def test_a_newcomer_signs_up_and_takes_a_place_by_plain_forms(
    visit: Visitors, table: Callable[..., Any], person: Callable[..., Any]
) -> None:
    match = table("Plain start", [person("bob")], joining="open", places=4)
    page = visit(java_script_enabled=False)
    page.goto(match["url"])
    page.get_by_role("main").get_by_role("link", name="Sign up and play").click()
    page.get_by_label("Username").fill(f"nora-{match['id']}")
    page.get_by_label("Email").fill("nora@example.org")
    page.get_by_label("Password", exact=True).fill("candle-light-42")
    page.get_by_role("button", name="Sign up", exact=True).click()
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("heading", name="You have a place")).to_be_visible()
    page.get_by_role("button", name="Leave this match").click()
    expect(page.get_by_text("You have left")).to_be_visible()
