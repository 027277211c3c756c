"""A page keeps itself up to date: through restarts, tunnels and sleep, and without touching what is being typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import bid, fill_bid, lot, notice
from tests.browser.served import Server
from tests.fixtures.chromium import Visitors

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
    # A server that goes may refuse, reset or leave an open request unanswered: which of them is chance.
    visit.forgive("Failed to load resource: net::ERR_")
    visit.forgive("WebSocket connection to")


def test_what_is_being_typed_survives_a_push(visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any) -> None:
    page = visit(ann)
    page.goto(auction["url"])
    sheet = fill_bid(page, "R", 2)
    amount = sheet.get_by_role("spinbutton", name="Chips")
    expect(sheet.get_by_text("2 is free: your bid would stand on R")).to_be_visible()  # the site has answered
    server.act(auction, bob, type="bid", seat="S", amount=2)
    expect(lot(page, "S")).to_have_attribute("data-amount", "2")
    expect(amount).to_have_value("2")
    expect(amount).to_be_focused()
    expect(sheet.get_by_label("Seat")).to_have_value("R")
    expect(sheet.get_by_text("2 stands on S already")).to_be_visible()


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


@pytest.mark.parametrize("by", ["sockets", "polling"])
def test_signing_out_in_one_tab_ends_the_private_view_in_the_other(
    visit: Visitors, server: Server, auction: Any, ann: Any, bob: Any, by: str
) -> None:
    page = visit(ann, own=True)
    page.clock.install()
    if by == "polling":
        page.route_web_socket("**/ws/**", lambda socket: socket.close())
    page.goto(auction["url"])
    bid(page, "R", 1)
    other = page.context.new_page()
    other.goto("/accounts/logout/")
    other.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(page.locator("#stale")).to_contain_text("You are signed out, or no longer play")
    server.act(auction, bob, type="bid", seat="R", amount=3)
    page.clock.fast_forward(2_500)  # a lost connection is said after two seconds
    expect(page.locator("#stale")).to_contain_text("You are signed out, or no longer play")
    expect(notice(page, "outbids you")).to_have_count(0)


def test_the_front_page_keeps_its_lists_when_the_site_fails_once(visit: Visitors, auction: Any, ann: Any) -> None:
    page = visit(ann, own=True)
    page.clock.install()
    page.goto("/")
    page.route("**/", lambda route: route.fulfill(status=503, body="<h1>Too busy</h1>"), times=1)
    for status in (503, 200):
        with page.expect_response(lambda answer, status=status: answer.status == status and answer.url.endswith("/")):
            page.clock.run_for(21_000)
    expect(page.locator("#tables")).to_contain_text("Running now")
    visit.forgive("503")
