"""What is typed and not sent is there again after a reload, and is said when its round closes without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import fill_bid, lot, what_i_can_do
from tests.browser.hosts_forms import HostsForms
from tests.browser.served import Server
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

pytestmark = pytest.mark.browser

NOTE_WHAT_IS_SAID = """() => {
    window.said = [];
    const region = document.getElementById("live-region");
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, {childList: true});
}"""
"""What is said next replaces it half a second later."""


def test_a_bid_that_is_not_sent(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], server: Server, host: Any
) -> None:
    ann = person("ann")
    match = table("Second thoughts", [ann, person("bob"), person("cat")], at="25h", game="number_auction")
    page = visit(ann)
    page.goto(match["url"])
    page.get_by_text("Enter bids in a list").click()
    first = page.locator('#part-act input[form="act-bid"]').first
    unsent = page.locator("#unsent-line")
    first.fill("1")
    page.reload()
    page.get_by_text("Enter bids in a list").click()
    expect(first).to_have_value("1")
    number = (first.get_attribute("name") or "").removeprefix("bids[").removesuffix("]")
    expect(unsent.locator("> span")).to_have_text(f"Not sent yet: 1 on {number}")
    page.evaluate(NOTE_WHAT_IS_SAID)
    first.focus()
    HostsForms(server, host, match).do("close")
    expect(unsent.locator("> span")).to_have_text(f"Round 2 closed, so your unsent 1 on {number} did not count.")
    page.wait_for_function("() => window.said.some((words) => words.includes('did not count'))")
    fields = page.locator('#part-act input[form="act-bid"]')
    expect(fields.first).not_to_have_attribute("name", f"bids[{number}]")
    expect(fields.first).to_have_value("")
    expect(fields.first).to_be_focused()
    # Sentences end once.
    page.wait_for_function("() => window.said.some((words) => words.includes('A round has opened'))")
    assert not [words for words in page.evaluate("window.said") if ".." in words]
    page.reload()
    expect(unsent).to_be_empty()


def test_a_sheet_says_what_is_not_sent(visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]) -> None:
    ann = person("ann")
    page = visit(ann, viewport=PHONE, has_touch=True)
    page.goto(table("In the sheet", [ann, person("bob"), person("cat")], at="25h", game="coin_collectors")["url"])
    sheet = what_i_can_do(page)
    forecast = sheet.locator("#forecast-bid")
    before = forecast.inner_text()
    coins = sheet.locator("[data-coin]").first
    place = coins.bounding_box()
    coins.fill("1")
    expect(sheet.get_by_text("Not sent yet: ")).to_be_in_viewport()
    expect(sheet.get_by_role("button", name="Close")).to_be_in_viewport()
    assert coins.bounding_box() == place  # nothing moves under the finger
    expect(forecast).not_to_have_text(before)
    at_once = "(button) => { button.click(); return document.getElementById('forecast-bid').innerText; }"
    assert coins.locator("xpath=../button[1]").evaluate(at_once) == before
    assert coins.locator("xpath=../button[2]").evaluate(at_once) == "…"
    expect(forecast).to_contain_text("At worst you spend")
    sheet.get_by_role("button", name="Seal").click()
    expect(sheet).to_be_hidden()
    what_i_can_do(page)
    coins.fill("0")
    expect(sheet.get_by_text("Not sent yet: nothing")).to_be_visible()
    expect(forecast).to_contain_text("You would bid on nothing in this round.")
    coins.fill("99999")
    sheet.get_by_role("button", name="Seal").click()
    expect(sheet.locator(".field__error").first).to_be_visible()
    sheet.get_by_role("button", name="Discard").click()
    expect(sheet.get_by_text("Discarded. Still sealed: 1")).to_be_visible()  # it stays open


def test_a_page_whose_token_is_gone_sends_nothing_in_the_name_of_somebody_else(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], server: Server
) -> None:
    ann, bob = person("ann"), person("bob")
    page = visit(ann)
    page.goto(table("Two at a machine", [ann, bob, person("cat")], at="25h")["url"])
    button = fill_bid(page, "V", 3).get_by_role("button", name="Bid 3 on V")
    page.context.clear_cookies()
    page.context.add_cookies([{"name": each, "value": its, "url": server.url} for each, its in bob["cookies"].items()])
    for _ in range(2):
        button.click()
        expect(page.locator("#answer")).to_contain_text("Reload the page and send it again.")
        page.locator("#answer").evaluate("(place) => place.replaceChildren()")
    expect(lot(page, "V")).not_to_contain_text("Bob")


def test_what_was_sent_and_not_answered_counts_once(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann = person("ann")
    match = table("Lost answers", [ann, person("bob"), person("cat")], at="25h", bring={"garnets": 9})
    page = visit(ann)
    page.goto(match["url"])

    def lose(route: Route) -> None:
        assert route.fetch().ok  # the site has it
        route.abort()

    def buy(count: int) -> None:
        sheet = what_i_can_do(page)
        sheet.locator("#buy-chips").evaluate("fold => { fold.open = true; }")
        sheet.get_by_label("How many").fill(str(count))
        sheet.locator('button[form="act-buy_chips"]').click()

    chips = page.locator("#part-purse")
    answer = page.locator("#answer")
    before = chips.inner_text()
    for bought, again in ((1, 1), (1, 2)):
        page.route("**/act/", lose)
        buy(bought)
        expect(answer).to_contain_text("That did not reach the server")
        page.unroute_all()
        kept = page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])")
        assert match["url"] in kept  # a key, so that it counts once
        page.reload()
        after = chips.inner_text()
        assert after != before
        buy(again)
        said = "Bought 1" if again == bought else "What you sent earlier from this page arrived"
        expect(answer).to_contain_text(said)
        assert chips.inner_text() == after
        before = after
    buy(9)
    expect(page.locator("#buy_chips-count-error")).to_contain_text("you have 5")  # judged, so its key is a new one
    visit.forgive("ERR_FAILED")
    visit.forgive("Failed to fetch")
    visit.forgive("409")
    visit.forgive("422")


def test_where_a_browser_keeps_nothing_one_still_bids(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann = person("ann")
    page = visit(ann, own=True)
    page.add_init_script(
        """for (const area of ["sessionStorage", "localStorage"]) {
            Object.defineProperty(window, area, { get() { throw new DOMException("off", "SecurityError"); } });
        }"""
    )
    page.goto(table("Nothing kept", [ann, person("bob"), person("cat")], at="25h")["url"])
    button = fill_bid(page, "V", 3).get_by_role("button", name="Bid 3 on V")
    expect(page.locator("#unsent-line")).to_contain_text("Not sent yet")
    button.click()
    expect(lot(page, "V")).to_contain_text("Ann")
    expect(page.locator("#unsent-line")).to_be_empty()


def test_notes_whose_answer_was_lost_are_saved_with_the_next_change(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann = person("ann")
    page = visit(ann)
    page.goto(table("Lost words", [ann, person("bob"), person("cat")])["url"])
    page.get_by_text("Your notes").click()
    kept, field = page.locator("[data-kept]"), page.get_by_role("textbox", name="Notes")
    page.route("**/notebook/", lambda route: (route.fetch(), route.abort()))
    field.fill("bob\n")
    expect(kept).to_contain_text("No connection")
    page.unroute("**/notebook/")
    field.fill("bob\ndoubles")
    expect(kept).to_have_text("Saved")
    page.route("**/notebook/", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"), times=1)
    field.fill("bob")
    expect(kept).to_contain_text("The server could not answer")
    page.context.clear_cookies(name="sessionid")
    field.fill("bob!")
    expect(kept).to_contain_text("You are signed out")
    for said in ("ERR_FAILED", "502"):
        visit.forgive(said)
