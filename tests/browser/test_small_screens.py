"""A small phone: the site's links and those of a match are all within reach."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat")
SMALL = {"width": 320, "height": 568}
ONE_ROW = 60
SEALED = {"at": "1h", "moves": [("1h", "ann", {"type": "bid", "seat": "V", "amount": 3})]}


def test_a_phones_menu_at_a_match_has_the_sites_links(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    page = visit(people[0], viewport=SMALL)
    page.goto(table("One row", people, **SEALED)["url"])
    assert page.locator(".masthead").evaluate("(head) => head.offsetHeight") <= ONE_ROW
    for link in ("My matches", "Profile"):
        page.get_by_role("navigation", name="Site").get_by_role("link", name=link).click(trial=True)
    page.mouse.wheel(0, 500)
    page.get_by_role("button", name="Parts of this match").click()
    menu = page.get_by_role("navigation", name="Parts of this match")
    for link in ("Matches", "My matches", "Games", "Seasons", "Profile"):
        expect(menu.get_by_role("link", name=link, exact=True)).to_be_in_viewport(ratio=1)
    there = page.url
    page.go_back()
    expect(menu).to_be_hidden()
    expect(page).to_have_url(there)
    for said in ("Sealed", "Taken back"):
        page.evaluate("(said) => document.dispatchEvent(new CustomEvent('genius:toast', {detail: said}))", said)
    expect(page.locator(".toast")).to_have_text(["Taken back"])  # two would lie on each other
