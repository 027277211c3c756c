"""What is typed and not sent is there again after a reload, and is said when its round closes without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import CLOSE, HostsDesk
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.browser

NOTE_WHAT_IS_SAID = """() => {
    window.said = [];
    const region = document.getElementById("live-region");
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, {childList: true});
}"""
"""What is said next replaces it half a second later."""


def test_a_bid_that_is_not_sent(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], host: dict[str, Any]
) -> None:
    ann = person("ann")
    match = table("Second thoughts", [ann, person("bob"), person("cat")], at="25h", game="number_auction")
    page = visit(ann)
    page.goto(match["url"])
    first = page.locator('#part-act input[form="act-bid"]').first
    unsent = page.locator("#unsent-line")
    with page.expect_response(lambda answer: answer.url.endswith("/unsent/")) as kept:
        first.fill("1")
    assert kept.value.status == 204
    page.reload()
    expect(first).to_have_value("1")
    expect(unsent).to_contain_text("Not sent yet: ")
    page.evaluate(NOTE_WHAT_IS_SAID)
    first.focus()
    number = first.get_attribute("name")
    HostsDesk(visit(host), match).do(CLOSE)
    expect(unsent).to_contain_text("Round 2 closed; your unsent")
    page.wait_for_function("() => window.said.some((words) => words.includes('did not count'))")
    fields = page.locator('#part-act input[form="act-bid"]')
    expect(fields.first).not_to_have_attribute("name", number or "")
    expect(fields.first).to_have_value("")
    assert page.evaluate("document.querySelector('#part-act').contains(document.activeElement)")
    page.reload()
    expect(unsent).to_be_empty()
