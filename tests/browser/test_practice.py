"""Practice against bots in a browser: begun, played by the form, gone on with, and left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import what_i_can_do
from tests.browser.looks import Camera, faults
from tests.fixtures.any_game import SLUG
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def at_practice(visit: Visitors, person: Callable[..., Any]) -> Page:
    """Ann's page on a phone, from the game's own page to a table that was just laid."""
    page = visit(person("ann"), viewport=PHONE, has_touch=True)
    page.goto(f"/games/{SLUG}/")
    page.get_by_role("link", name="Practise against bots").first.click()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", name="Practice")).to_be_visible()
    page.wait_for_load_state()  # what is typed before its scripts are there is forecast with the next key only
    return page


def test_one_practises_by_the_forms_of_a_match(at_practice: Page, camera: Camera) -> None:
    page = at_practice
    sheet = what_i_can_do(page)
    sheet.locator("[data-lot-field]").select_option("V")
    sheet.get_by_role("spinbutton", name="Chips").fill("3")
    expect(page.locator("#forecast-bid")).to_contain_text("V")
    sheet.get_by_role("button", name="Seal 3 on V").click()
    expect(page.get_by_text("3 chips on V")).to_be_visible()
    expect(page.locator(".move-bar").get_by_text("Sealed: 3 on V")).to_be_visible()
    expect(sheet).to_be_hidden()
    assert faults(page, camera, "practice-axe") == []
    where = page.locator(".match-line__when").inner_text()
    what_i_can_do(page).get_by_role("spinbutton", name="Chips").fill("4")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".toast")).to_contain_text("Not sent yet")  # it asks once
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".match-line__when")).not_to_have_text(where)
    expect(page.locator('[data-lot][data-state="standing"]').first).to_be_visible()


def test_the_board_of_the_front_page_is_played_at_once(visit: Visitors, camera: Camera) -> None:
    page = visit(None, viewport=PHONE, has_touch=True)
    page.goto("/")
    play = page.locator(".welcome__play")
    play.locator("input[type=number]:visible").first.fill("1")
    expect(play.locator(".submission__forecast--good")).to_be_visible()
    assert faults(page, camera, "front-axe") == []
    play.locator(".submission__act").first.click()
    expect(page.get_by_role("heading", name="Practice")).to_be_visible()
