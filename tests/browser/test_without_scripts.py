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


def test_a_player_bids_by_plain_forms(
    visit: Visitors, camera: Camera, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann = person("ann")
    match = table("Plain table", [ann, person("bob"), person("cat")], at="25h")
    page = visit(ann, java_script_enabled=False, viewport=PHONE)
    page.goto(match["url"])
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("link", name="Your move…")).to_be_hidden()
    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="Your move…").click()
    expect(page.get_by_label("Seat")).to_be_in_viewport()
    lot(page, "T").click()
    expect(page.get_by_label("Seat")).to_have_value("T")
    page.get_by_role("spinbutton", name="Chips").fill("99")
    page.get_by_role("button", name="Place this bid").click()
    amount = page.get_by_role("spinbutton", name="Chips")
    expect(amount).to_have_value("99")
    expect(page.locator(".field__error").first).to_be_in_viewport()
    expect(page.locator(f"#{amount.get_attribute('aria-describedby')}")).to_contain_text("16")
    camera.shoot(page, "plain-refused")
    amount.fill("4")
    page.get_by_role("button", name="Place this bid").click()
    expect(page.get_by_text("Bid 4 on T placed")).to_be_in_viewport()
    expect(lot(page, "T").locator('[data-mine="yours"]')).to_be_visible()
    expect(page.get_by_role("region", name="Your purse")).to_contain_text("12")
