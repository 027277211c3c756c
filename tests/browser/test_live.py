"""A page keeps itself up to date: through restarts, tunnels and sleep, and without touching what is being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import bid, fill_bid, lot, notice, what_i_can_do
from tests.browser.served import Server
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

AUCTION = "25h"


@pytest.fixture
def ann(person: Callable[..., Any]) -> Any:
    return person("ann")


@pytest.fixture
def bob(person: Callable[..., Any]) -> Any:
    return person("bob")


@pytest.fixture
def auction(table: Callable[..., Any], person: Callable[..., Any], ann: Any, bob: Any) -> Any:
    """An hour into the auction, without a bid."""
    return table("Live table", [ann, bob, person("cat")], at=AUCTION)


def stale(page: Page) -> Any:
    return page.get_by_role("main").get_by_text("Connection lost")


_NOTE_WHAT_IS_SWAPPED = """
window.swapped = [];
window.isConnected = 0;
document.addEventListener("genius:connected", () => { window.isConnected += 1; });
document.addEventListener("DOMContentLoaded", () => {
    const swap = htmx.swap;
    htmx.swap = (how) => { window.swapped.push(how.target.id); return swap.call(htmx, how); };
});
"""


def test_what_the_page_was_made_of_is_not_put_into_it_again(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann, own=True)
    page.add_init_script(_NOTE_WHAT_IS_SWAPPED)
    page.goto(auction["url"])
    page.wait_for_function("() => window.isConnected >= 2")
    assert [each for each in page.evaluate("window.swapped") if each.startswith("part-")] == []
    server.act(auction, bob, type="bid", seat="R", amount=1)
    expect(lot(page, "R")).to_have_attribute("data-amount", "1")
    assert "lot-R" in page.evaluate("window.swapped.splice(0)")
    page.evaluate("""() => {
        window.isConnected = 0;
        ['offline', 'online'].forEach((kind) => dispatchEvent(new Event(kind)));
    }""")
    # Later on everything may have changed.
    page.wait_for_function("() => window.isConnected >= 2 && window.swapped.includes('part-board')")


_WAKE_WHEN_OPEN = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
    constructor(...given) {
        super(...given);
        this.addEventListener("open", () => { setTimeout(() => dispatchEvent(new Event("focus"))); });
    }
};
"""


def test_a_page_that_is_looked_at_before_it_heard_anything_does_not_ask_for_all_again(
    visit: Visitors, auction: Any, ann: Any
) -> None:
    page = visit(ann, own=True)
    page.add_init_script(_NOTE_WHAT_IS_SWAPPED + _WAKE_WHEN_OPEN)
    asked: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: asked.append(str(frame))))
    page.goto(auction["url"])
    page.wait_for_function("() => window.isConnected >= 2")
    assert [each for each in asked if "resync" in each] == []
    assert [each for each in page.evaluate("window.swapped") if each.startswith("part-")] == []


def test_after_a_restart_the_page_says_that_it_is_old_and_catches_up(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    expect(lot(page, "R")).to_have_attribute("data-state", "open")
    with server.away():
        expect(stale(page)).to_be_visible()
    server.act(auction, bob, type="bid", seat="R", amount=1)
    expect(lot(page, "R")).to_have_attribute("data-amount", "1", timeout=60_000)
    expect(stale(page)).to_have_count(0)
    server.act(auction, bob, type="bid", seat="S", amount=2)
    expect(lot(page, "S")).to_have_attribute("data-amount", "2")
    visit.forgive("ERR_CONNECTION_REFUSED")
    visit.forgive("WebSocket connection to")


def test_a_seat_that_the_address_names_stays_chosen_when_the_page_comes_alive(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann)
    page.goto(f"{auction['url']}?lot=S")
    server.act(auction, bob, type="bid", seat="R", amount=1)
    expect(lot(page, "R")).to_have_attribute("data-amount", "1")
    expect(what_i_can_do(page).get_by_label("Seat")).to_have_value("S")


def test_it_stays_chosen_while_another_one_is_sealed(
    visit: Visitors, server: Server, table: Callable[..., Any], person: Callable[..., Any], ann: Any, bob: Any
) -> None:
    match = table("Sealed table", [ann, bob, person("cat")], at="1h")
    server.act(match, ann, type="bid", seat="V", amount=2)
    page = visit(ann)
    page.goto(f"{match['url']}?lot=S#act")
    seat, amount = what_i_can_do(page).get_by_label("Seat"), page.get_by_role("spinbutton", name="Chips")
    server.act(match, ann, type="bid", seat="V", amount=4)
    expect(page.get_by_text("Sealed now: 4 on V")).to_be_visible()
    expect(seat).to_have_value("S")
    expect(amount).to_have_value("")
    amount.press_sequentially("1")
    server.act(match, ann, type="bid", seat="R", amount=3)
    expect(page.get_by_text("Sealed now: 3 on R")).to_be_visible()
    expect(seat).to_have_value("S")
    expect(amount).to_have_value("1")
    expect(amount).to_be_focused()


def test_a_page_that_was_offline_catches_up(visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    bid(page, "R", 1)
    page.context.set_offline(True)
    server.act(auction, bob, type="bid", seat="R", amount=3)
    expect(stale(page)).to_be_visible()
    expect(lot(page, "R")).to_have_attribute("data-amount", "1")
    page.context.set_offline(False)
    expect(lot(page, "R")).to_have_attribute("data-amount", "3", timeout=60_000)
    expect(stale(page)).to_have_count(0)
    expect(notice(page, "Bob outbids you on R with 3")).to_be_attached()
    visit.forgive("ERR_INTERNET_DISCONNECTED")


def test_what_is_being_typed_survives_a_push(visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    sheet = fill_bid(page, "R", 2)
    amount = sheet.get_by_role("spinbutton", name="Chips")
    expect(sheet.get_by_text("2 is free: you would stand on R")).to_be_visible()  # the site has answered
    server.act(auction, bob, type="bid", seat="S", amount=2)
    expect(lot(page, "S")).to_have_attribute("data-amount", "2")
    expect(amount).to_have_value("2")
    expect(amount).to_be_focused()
    expect(sheet.get_by_label("Seat")).to_have_value("R")
    expect(sheet.get_by_text("2 is taken")).to_be_visible()


_TASKS = """() => {
    window.drawn = [];
    document.addEventListener("htmx:before:swap", ({detail}) => {
        drawn.push(...detail.tasks.filter(({type}) => type === "partial").map(({target}) => target.id));
    });
}"""


@pytest.mark.parametrize(("typed", "left"), [("", ""), ("3", "3")], ids=["as served", "typed"])
def test_a_field_that_is_served_empty_is_empty_unless_something_was_typed(
    visit: Visitors, auction: Any, ann: Any, typed: str, left: str
) -> None:
    """Answers and pushes of what was sealed put the text itself into a field: then its attribute alone says nothing."""
    page = visit(ann)
    page.goto(auction["url"])
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<p id=kept><input name=votes></p>')")
    field = page.locator("#kept input")
    serve = """async (served) => {
        const target = document.getElementById("kept");
        const text = `<input name=votes ${served}>`;
        await htmx.swap({sourceElement: target, target, swap: "innerMorph", text, transition: false});
    }"""
    page.evaluate(serve, "value=2")
    expect(field).to_have_value("2")
    if typed:
        field.fill(typed)
    page.evaluate(serve, "")
    expect(field).not_to_have_attribute("value", "2")
    expect(field).to_have_value(left)


def test_what_pushes_have_shown_already_is_not_drawn_again_by_the_answer(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    """The answer to a form is held back until the board and the player's own parts have been pushed."""
    page = visit(ann, own=True)
    page.goto(auction["url"])
    sheet = fill_bid(page, "R", 2)
    held: list[tuple[Any, Any]] = []

    def hold(route: Any) -> None:
        held.append((route, route.fetch()))
        page.evaluate("window.isHeld = true")

    page.route("**/act/", hold)
    page.evaluate(_TASKS)
    match = page.locator("#match")
    before = str(match.get_attribute("data-private-version"))
    key = page.locator("#key-bid").input_value()
    sheet.get_by_role("button", name="Bid 2 on R").click()
    expect(lot(page, "R")).to_have_attribute("data-amount", "2")
    expect(match).not_to_have_attribute("data-private-version", before)
    page.wait_for_function("() => window.isHeld")
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(page.locator("#answer")).to_contain_text("Bid 2 on R placed")
    assert page.evaluate("drawn") == ["key-bid"]
    expect(page.locator("#key-bid")).not_to_have_value(key)
    expect(what_i_can_do(page).get_by_role("spinbutton", name="Chips")).to_have_value("")
    expect(page.locator("#part-act [data-lot-field] option[value=R]")).to_have_count(0)


def test_a_form_that_is_refused_comes_back_though_nothing_else_has_changed(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    server.act(auction, bob, type="bid", seat="S", amount=2)
    expect(lot(page, "S")).to_have_attribute("data-amount", "2")
    fill_bid(page, "R", 2).get_by_role("button", name="Bid 2 on R").click()
    expect(page.locator("#part-act .field__error")).to_contain_text("2 stands on S already")
    bid(page, "R", 3)
    expect(page.locator("#part-act .field__error")).to_have_count(0)


def test_a_receipt_gives_way_to_what_one_has_lost_since(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    bid(page, "R", 1)
    expect(page.locator("#answer [data-said]")).to_be_visible()
    server.act(auction, bob, type="bid", seat="R", amount=3)
    expect(notice(page, "Bob outbids you on R with 3")).to_be_attached()
    expect(page.locator("#answer [data-said]")).to_have_count(0)
    bid(page, "S", 4)
    page.evaluate("document.dispatchEvent(new CustomEvent('genius:new-notices'))")  # others may come later
    expect(page.locator("#answer [data-said]")).to_be_visible()


def test_a_receipt_survives_the_part_that_its_own_act_brings_about(visit: Visitors, auction: Any, ann: Any) -> None:
    """Its push may come before the answer, after it, or in the middle of its swap: here the receipt is hardly in the
    page when the board goes from the part in which the form was sent to the one that the answer came from."""
    page = visit(ann)
    page.goto(auction["url"])
    fill_bid(page, "R", 2)
    what_i_can_do(page).get_by_role("button", name="Bid 2 on R").evaluate(
        """(button) => {
            const bar = () => document.querySelector("#part-status [data-part]");
            const place = document.getElementById("answer");
            const now = bar().dataset.part;
            const show = () => {
                const part = place.querySelector("[data-said]") ? now : "before";
                if (bar().dataset.part !== part) bar().dataset.part = part;
                if (part === now) observer.disconnect();
            };
            const observer = new MutationObserver(show);
            const changes = { childList: true, subtree: true, attributes: true };
            for (const part of [place, document.getElementById("part-status")]) observer.observe(part, changes);
            show();
            button.click();
        }"""
    )
    expect(lot(page, "R")).to_have_attribute("data-amount", "2")
    expect(page.locator("#answer [data-said]")).to_be_visible()
    page.evaluate("""() => { document.querySelector("#part-status [data-part]").dataset.part = "Round 2"; }""")
    expect(page.locator("#answer [data-said]")).to_have_count(0)


def test_the_open_sheet_of_a_phone_survives_a_push(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann, viewport=PHONE, has_touch=True)
    page.goto(auction["url"])
    lot(page, "V").tap()
    sheet = page.get_by_role("region", name="What you can do")
    expect(sheet.get_by_label("Seat")).to_have_value("V")
    server.act(auction, bob, type="bid", seat="S", amount=2)
    expect(lot(page, "S")).to_have_attribute("data-amount", "2")
    expect(sheet).to_be_visible()
    sheet.get_by_role("spinbutton", name="Chips").fill("4")
    sheet.get_by_role("button", name="Bid 4 on V").click()
    expect(lot(page, "V")).to_have_attribute("data-amount", "4")
    expect(sheet).to_be_hidden()


def test_a_bid_sent_twice_is_made_once(visit: Visitors, auction: Any, ann: Any) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    fill_bid(page, "R", 2).get_by_role("button", name="Bid 2 on R").dblclick()
    expect(lot(page, "R")).to_have_attribute("data-amount", "2")
    expect(page.locator("#answer")).to_contain_text("Bid 2 on R placed")
    page.goto(f"{auction['url']}history/")
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(2)


def test_a_session_that_ended_elsewhere_is_said_and_nothing_is_lost(visit: Visitors, auction: Any, ann: Any) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    sheet = fill_bid(page, "R", 2)
    page.context.clear_cookies()
    sheet.get_by_role("button", name="Bid 2 on R").click()
    expect(page.locator("#answer")).to_contain_text("Reload it")
    expect(sheet.get_by_role("spinbutton", name="Chips")).to_have_value("2")
    expect(lot(page, "R")).to_have_attribute("data-state", "open")


def test_signing_out_in_one_tab_ends_the_private_view_in_the_other(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any
) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    bid(page, "R", 1)
    other = page.context.new_page()
    other.goto("/accounts/logout/")
    other.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out")).to_be_visible()
    server.act(auction, bob, type="bid", seat="R", amount=3)
    expect(notice(page, "outbids you")).to_have_count(0)


def test_a_notice_is_read_once_for_all_tabs(visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    bid(page, "R", 1)
    other = page.context.new_page()
    other.goto("/profile/")
    server.act(auction, bob, type="bid", seat="R", amount=3)
    expect(notice(other, "Bob outbids you")).to_be_attached()
    expect(notice(page, "Bob outbids you")).to_be_attached()
    other.get_by_role("button", name="I have read this").click()
    expect(notice(other, "Bob outbids you")).to_have_count(0)
    expect(other).to_have_url(f"{server.url}/profile/")
    page.reload()
    expect(what_i_can_do(page)).to_be_visible()
    expect(notice(page, "Bob outbids you")).to_have_count(0)
