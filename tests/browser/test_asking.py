"""What is tried out while one types: forecasts of actions, and what-ifs of every game that answers any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from matches.games.registry import all_games
from tests.browser.desk import fill_bid
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.browser

ASKED = [(slug, kind) for slug, game in all_games().items() for kind in game.questions]


def test_a_forecast_follows_what_is_typed_and_goes_with_it(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann = person("ann")
    page = visit(ann)
    page.goto(table("Forecasts", [ann, person("bob"), person("cat")], at="25h")["url"])
    forecast = page.locator("#forecast-bid")
    sheet = fill_bid(page, "R", 4)
    expect(forecast).to_contain_text("4 is free")
    amount = sheet.get_by_role("spinbutton", name="Chips")
    amount.fill("400")
    expect(forecast).to_contain_text("of your")
    amount.fill("")
    expect(forecast).to_contain_text("Nobody has bid on R.")
    count = page.get_by_role("spinbutton", name="How many")
    page.get_by_text("Buy chips").first.click()
    count.fill("2")
    expect(page.locator("#forecast-buy_chips")).to_contain_text("2 chips for")
    count.fill("")
    expect(page.locator("#forecast-buy_chips")).to_be_empty()


@pytest.mark.parametrize(("slug", "kind"), ASKED)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_question_is_answered_on_its_page(visit: Visitors, slug: str, kind: str, scripts: bool) -> None:
    """With scripts the page stays; without, the next one has what was typed. Nobody need sign in."""
    page = visit(None, java_script_enabled=scripts, viewport=PHONE)
    page.goto(f"/games/{slug}/ask/")
    section = page.locator(f"#ask-section-{kind}")
    number = section.locator("input[type=number]").first
    if scripts:
        number.focus()
        number.press_sequentially("1")
    else:
        number.fill("1")
        section.locator("button[type=submit], button:not([type])").first.click()
    expect(section.locator(".question__answer > *, .field__error").first).to_be_visible()
    expect(number).to_have_value("1")
    assert ("type=" in page.url) is not scripts
    if scripts:
        expect(number).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.forgive("status of 422")
