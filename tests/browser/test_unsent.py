"""What is typed and not sent is there again after a reload, and is said when its round closes without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import fill_bid, lot, what_i_can_do
from tests.browser.hosts_forms import HostsForms
from tests.browser.served import Server
from tests.fixtures.chromium import PHONE, Visitors
from tests.fixtures.processes import ask_until

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
    first = page.locator('#part-act input[form="act-bid"]').first
    unsent = page.locator("#unsent-line")
    first.fill("1")
    page.reload()
    expect(first).to_have_value("1")
    number = (first.get_attribute("name") or "").removeprefix("bids[").removesuffix("]")
    expect(unsent.locator("span")).to_have_text(f"Not sent yet: 1 on {number}")
    page.evaluate(NOTE_WHAT_IS_SAID)
    first.focus()
    HostsForms(server, host, match).do("close")
    expect(unsent.locator("span")).to_have_text(f"Round 2 closed; your unsent 1 on {number} did not count.")
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


def test_a_page_whose_token_is_gone_takes_a_new_one_and_keeps_what_was_typed(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    """Once it had to be reloaded, and what could not be kept without a token was lost by that."""
    ann = person("ann")
    page = visit(ann)
    page.goto(table("No cookie", [ann, person("bob"), person("cat")], at="25h")["url"])
    sheet = fill_bid(page, "V", 3)
    page.context.clear_cookies(name="csrftoken")
    button = sheet.get_by_role("button", name="Bid 3 on V")
    button.click()
    expect(page.locator("#answer")).to_contain_text("nothing was sent. Send it once more.")
    expect(sheet.get_by_role("spinbutton", name="Chips")).to_have_value("3")
    button.click()
    expect(page.locator("#answer")).to_contain_text("Bid 3 on V placed")


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
        expect(page.locator("#answer")).to_contain_text("Reload it and send that once more.")
        page.locator("#answer").evaluate("(place) => place.replaceChildren()")
    expect(lot(page, "V")).not_to_contain_text("Bob")


def test_a_phone_says_what_did_not_count_in_the_open_sheet_and_the_forms_are_made_again(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], server: Server, host: Any
) -> None:
    """What everybody sees comes before what the player alone does, in a frame of its own."""
    ann = person("ann")
    match = table("In the sheet", [ann, person("bob"), person("cat")], at="25h", game="number_auction")
    page = visit(ann, viewport=PHONE, has_touch=True)
    page.goto(match["url"])
    sheet = what_i_can_do(page)
    forecast = sheet.locator("#forecast-bid")
    hint = forecast.inner_text()
    sheet.get_by_role("spinbutton").first.fill("1")
    expect(forecast).to_contain_text("If all that fit win")
    HostsForms(server, host, match).do("close")
    late = sheet.locator("#unsent-late")
    expect(late).to_contain_text("Round 2 closed; your unsent")
    expect(late).to_be_in_viewport(ratio=1)
    expect(sheet.get_by_role("heading", name="Bids in round 3")).to_be_visible()
    expect(forecast).to_have_text(hint)
    late.get_by_role("button", name="All right").click()
    expect(late).to_be_empty()
    expect(page.locator("#unsent-line")).to_be_empty()


def test_a_match_that_ends_says_what_did_not_count(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], server: Server, host: Any
) -> None:
    """Then the bar would stand there alone, and say that something is not sent yet."""
    ann = person("ann")
    match = table("Too late", [ann, person("bob"), person("cat")], at="25h")
    page = visit(ann, viewport=PHONE, has_touch=True)
    page.goto(match["url"])
    fill_bid(page, "R", 2)
    page.locator("#act").evaluate("(sheet) => sheet.hidePopover()")
    unsent = page.locator("#unsent-line")
    expect(unsent).to_contain_text("Not sent yet: 2 on R")
    HostsForms(server, host, match).do("cancel", reason="The power is out")
    expect(unsent).to_contain_text("“Auction” is over; your unsent 2 on R did not count.")
    unsent.get_by_role("button", name="All right").click()
    expect(unsent).to_be_hidden()


def test_what_is_typed_before_the_scripts_are_there_is_kept_and_forecast(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann = person("ann")
    match = table("Slow scripts", [ann, person("bob"), person("cat")], at="25h")
    page = visit(ann)
    held: list[Route] = []
    page.route("**/bundles/match-*.js", lambda route: held.append(route))
    page.goto(match["url"], wait_until="commit")
    sheet = fill_bid(page, "R", 2)
    assert held
    held[0].continue_()
    expect(sheet.get_by_text("2 is free: you would stand on R")).to_be_visible()
    expect(page.locator("#unsent-line")).to_contain_text("Not sent yet: 2 on R")
    page.unroute_all()


def test_a_choice_that_ends_the_match_did_count(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    """The push of the end comes before the answer to the choice."""
    ann = person("ann")
    won = [("25h", "ann", {"type": "bid", "seat": "R", "amount": 1})]
    page = visit(ann, own=True)
    page.goto(table("The last word", [ann, person("bob"), person("cat")], at="50h", moves=won)["url"])
    sheet = what_i_can_do(page)
    sheet.get_by_label("Bob").check()
    sheet.get_by_role("button", name="Name Bob").click()
    held: list[tuple[Route, Any]] = []
    page.locator("#answer").get_by_role("button", name="Yes, that is final").wait_for()
    page.route("**/act/", lambda route: held.append((route, route.fetch())))
    page.locator("#answer").get_by_role("button", name="Yes, that is final").click()
    expect(page.locator("#part-status")).to_contain_text("Finished")
    expect(page.locator("#unsent-line")).not_to_contain_text("did not count")
    ask_until(lambda: page.evaluate("true") and bool(held))
    for route, answer in held:
        route.fulfill(response=answer)
    expect(page.locator("#answer")).to_contain_text("Bob named as Elimination Candidate")
    expect(page.locator("#unsent-line")).to_be_empty()


def test_what_is_typed_before_the_answer_to_the_last_bid_stays(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    """A push may show a bid long before its answer is there, and who sees it begins the next one."""
    ann = person("ann")
    page = visit(ann, own=True)
    page.goto(table("Quick", [ann, person("bob"), person("cat")], at="25h")["url"])
    held: list[tuple[Route, Any]] = []
    page.route("**/act/", lambda route: held.append((route, route.fetch())))
    sheet = fill_bid(page, "R", 2)
    sheet.get_by_role("button", name="Bid 2 on R").click()
    expect(lot(page, "R")).to_have_attribute("data-amount", "2")
    fill_bid(page, "X", 3)
    ask_until(lambda: page.evaluate("true") and bool(held))
    for route, answer in held:
        route.fulfill(response=answer)
    expect(page.locator("#answer")).to_contain_text("Bid 2 on R placed")
    expect(sheet.get_by_role("spinbutton", name="Chips")).to_have_value("3")
    expect(sheet.locator("[data-lot-field]")).to_have_value("X")
    expect(page.locator("#unsent-line span")).to_have_text("Not sent yet: 3 on X")
    page.unroute_all()  # an answer that is still held when the page is closed fails the next test
    sheet.get_by_role("button", name="Bid 3 on X").click()
    expect(lot(page, "X")).to_have_attribute("data-amount", "3")


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
        sheet.locator('input[form="act-buy_chips"]').fill(str(count))
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
        said = "Bought 1" if again == bought else "What you sent before from this page has arrived"
        expect(answer).to_contain_text(said)
        assert chips.inner_text() == after
        before = after
    buy(9)
    expect(page.locator("#buy_chips-count-error")).to_contain_text("you have 5")  # judged, so its key is a new one
    visit.forgive("ERR_FAILED")
    visit.forgive("Failed to fetch")
    visit.forgive("409")
    visit.forgive("422")
