"""Practice against bots in a browser: begun, played by the form, gone on with, and left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from matches.games.registry import all_games
from tests.browser.desk import what_i_can_do
from tests.browser.first_screen import beyond_first_screen, beyond_the_width
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
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".match-line__when")).not_to_have_text(where)
    expect(page.locator('[data-lot][data-state="standing"]').first).to_be_visible()


def test_a_refusal_stands_at_its_field(at_practice: Page) -> None:
    page = at_practice
    sheet = what_i_can_do(page)
    sheet.locator("[data-lot-field]").select_option("V")
    sheet.get_by_role("spinbutton", name="Chips").fill("999")
    sheet.get_by_role("button", name="Seal 999 on V").click()
    expect(sheet.locator(".field__error").first).to_be_visible()
    expect(page.get_by_role("spinbutton", name="Chips")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("spinbutton", name="Chips")).to_have_value("999")


def test_what_is_not_sent_is_not_lost_without_a_word(at_practice: Page) -> None:
    page = at_practice
    sheet = what_i_can_do(page)
    sheet.locator("[data-lot-field]").select_option("V")
    sheet.get_by_role("spinbutton", name="Chips").fill("3")
    page.keyboard.press("Escape")
    expect(page.locator(".move-bar").get_by_text("Not sent yet")).to_be_visible()
    where = page.locator(".match-line__when").inner_text()
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#toasts")).to_contain_text("choose “Next” again to go on without it")
    expect(page.locator(".match-line__when")).to_have_text(where)
    expect(page.get_by_role("spinbutton", name="Chips", include_hidden=True)).to_have_value("3")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".match-line__when")).not_to_have_text(where)


def test_what_is_typed_into_one_form_is_still_there_when_another_was_sent(at_practice: Page) -> None:
    page = at_practice
    sheet = what_i_can_do(page)
    sheet.locator("[data-lot-field]").select_option("V")
    sheet.get_by_role("spinbutton", name="Chips").fill("3")
    sheet.locator("#buy-chips > summary").click()
    sheet.get_by_role("spinbutton", name="How many").fill("1")
    sheet.get_by_role("button", name="Buy 1 ").click()
    expect(page.locator(".move-bar").get_by_text("Bought 1")).to_be_visible()
    sheet = what_i_can_do(page)
    expect(sheet.locator("[data-lot-field]")).to_have_value("V")
    sheet.get_by_role("button", name="Seal 3 on V").click()
    expect(page.locator(".move-bar").get_by_text("Sealed: 3 on V")).to_be_visible()


def test_the_keyboard_stays_at_the_button_that_it_pressed(at_practice: Page) -> None:
    """Each press makes a new page, and from its head the button is many tabs away."""
    page = at_practice
    for _ in range(2):
        button = page.get_by_role("button", name="Next")
        if not page.locator("button[name=do]:focus").count():
            button.focus()
            page.keyboard.press("Shift+Tab")
            page.keyboard.press("Tab")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect(button).to_be_focused()


def test_it_is_played_to_its_end_and_left(at_practice: Page) -> None:
    page = at_practice
    again = page.get_by_role("button", name="Again")
    for _ in range(200):
        if again.count():
            break
        with page.expect_navigation():  # or the page before it is asked whether all is over
            page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="It is over")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Leave").click()
    expect(page).to_have_url(f"/games/{SLUG}/")


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_all_that_one_needs_is_on_the_first_screen_as_in_a_match(
    visit: Visitors, person: Callable[..., Any], slug: str
) -> None:
    page = visit(person("ann"))
    page.goto(f"/games/{slug}/practice/")
    page.get_by_role("button", name="Begin").click()
    for _ in range(2):
        page.wait_for_load_state()
        acts = page.locator("#part-act section.submission").count() > 0
        assert beyond_first_screen(page, acts=acts) == []
        assert beyond_the_width(page) == []
        page.get_by_role("button", name="Next").click()
