"""The reader's own marks, in the colours of what they lie on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import lot
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.browser

COLOUR = """(element, token) => {
    const mark = element.querySelector(".mark") ?? element;
    const probe = Object.assign(document.createElement("i"), {style: `color: var(--${token})`});
    element.append(probe);
    const wanted = getComputedStyle(probe).color;
    probe.remove();
    const {content, color} = getComputedStyle(mark, "::after");
    return [content.includes("▲"), color === wanted];
}"""


def test_a_marked_player_is_told_apart_on_the_felt_and_on_paper(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann, bob = person("ann"), person("bob")
    bid = [("25h", "bob", {"type": "bid", "seat": "R", "amount": 1})]
    page = visit(ann, color_scheme="light")
    page.goto(table("Marked", [ann, bob, person("cat")], at="26h", moves=bid)["url"])
    page.locator("#notebook summary").first.click()
    page.get_by_label("Player or lot").fill("Bob")
    page.locator("#mark-kind").select_option("triangle")
    page.get_by_label("Player or lot").press("Enter")
    page.wait_for_url("**#notebook")
    expect(page.locator("[data-own-mark]")).to_have_count(1)
    assert lot(page, "R").evaluate(COLOUR, "felt-stone") == [True, True]
    assert page.locator("#part-players li", has_text="Bob").evaluate(COLOUR, "garnet") == [True, True]
