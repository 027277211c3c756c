"""A whole match in browsers: one player at a desk and one on a phone, two who only hold a place, a host, and somebody
who watches. Two rounds, each closed by the host, so that no time has to pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from matches.games.coin_collectors.tests.table import auction, round_of
from tests.browser.desk import decide, lot, notice, what_i_can_do
from tests.browser.looks import faults
from tests.browser.room import Room
from tests.browser.served import Hands

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

CHANDLERY = "Chandlery [2nd] & sons"
CONFIG = {
    "items": {"spyglass": {"name": "Crow's nest"}},
    "rounds": [
        round_of(
            auction("Bakery", silver=2, bronze=4),
            auction("Treasury", gold=2, silver=5),
            auction(CHANDLERY, bronze=2, items={"spyglass": 1}),
            bid_limit=2,
        ),
        round_of(auction("Harbour", gold=3, garnet=1)),
    ],
}


@pytest.fixture
def room(open_room: Callable[..., Room]) -> Room:
    return open_room("Coin cabinet", ("ann", "bob", "cat", "dan"), phone="bob", game="coin_collectors", config=CONFIG)


def coin(page: Page, kind: str, on: str) -> Locator:
    return what_i_can_do(page).get_by_role("spinbutton", name=f"{kind} on {on}", exact=True)


def more(page: Page, kind: str, on: str) -> None:
    """One press of the plus."""
    what_i_can_do(page).get_by_role("button", name=f"One more {kind} coin on {on}").click()


def left(page: Page) -> Locator:
    return what_i_can_do(page).locator("[data-left]")


def forecast(page: Page) -> Locator:
    return page.locator("#forecast-bid")


def seal(page: Page, says: str) -> None:
    what_i_can_do(page).get_by_role("button", name="Seal").click()
    expect(page.locator("#answer")).to_contain_text(says)


def open_all(page: Page) -> None:
    """Opens all that is folded, one after the other: what is inside may be folded too. Menus close each other."""
    folded = page.locator("main details:not([open], [data-menu]) > summary:visible")
    while folded.count():
        folded.first.click()


def test_a_match_is_played_from_the_pregame_to_the_result(room: Room, hands: Hands) -> None:
    nothing_is_shown_before_the_first_round(room)
    ann_bids_by_steppers(room.ann)
    bob_lifts_a_limit_on_a_phone(room)
    nobody_else_was_told(room)
    ann_asks_what_if(room)
    the_round_brings_each_an_account(room)
    ann_uses_an_item(room)
    the_winner_decides(room)
    everybody_reads_the_result(room, hands)


def nothing_is_shown_before_the_first_round(room: Room) -> None:
    for page in room.everybody():
        expect(page.get_by_text("Round 1 is not open yet")).to_be_visible()
        expect(page.get_by_text("Treasury")).to_have_count(0)
    room.host.do("close")
    for page in room.everybody():
        expect(page.locator("#lot-1-2")).to_contain_text(re.compile(r"Treasury\s+2 gold\s*5 silver"))
        expect(page.locator("#lot-1-2")).to_have_class(re.compile("coins__auction--new"))  # its coins fall
        expect(page.get_by_text("Harbour")).to_have_count(0)


def ann_bids_by_steppers(ann: Page) -> None:
    """The counts follow every press; what goes too far is said before it is sent, and at the field when it is."""
    more(ann, "gold", "Treasury")
    more(ann, "silver", CHANDLERY)
    expect(left(ann)).to_contain_text("2 of 2 auctions")
    expect(forecast(ann)).to_contain_text("At worst")
    expect(forecast(ann)).to_contain_text("on Treasury and 1 silver coin")
    on_card = ann.locator("#lot-1-1")
    on_card.get_by_title("One more bronze coin").click()
    expect(on_card).to_contain_text("1unsent")
    expect(left(ann).locator("[data-over]")).to_have_text("3 of 2 auctions")
    expect(forecast(ann)).to_contain_text("You bid on 3 auctions; this round allows 2.")
    on_card.get_by_title("One fewer bronze coin").click()
    expect(on_card).not_to_contain_text("unsent")
    # Neither the card nor the form offers a coin that she does not have; what is typed may be anything.
    expect(ann.locator("#lot-1-2").get_by_title("One more gold coin")).to_be_disabled()
    coin(ann, "gold", "Treasury").fill("2")
    expect(left(ann).locator("[data-over]")).to_have_text("−1")
    what_i_can_do(ann).get_by_role("button", name="Seal").click()
    gold = coin(ann, "gold", "Treasury")
    expect(gold).to_have_attribute("aria-invalid", "true")
    expect(gold).to_have_value("2")
    expect(ann.locator(f"#{gold.get_attribute('aria-describedby')}")).to_contain_text("You have 1 gold coin")
    gold.fill("1")
    seal(ann, f"Sealed for round 1: 1 gold on Treasury; 1 silver on {CHANDLERY}; ")
    own = ann.get_by_role("region", name="Where you stand")
    expect(own.get_by_text("sealed so far")).to_be_visible()
    expect(own.locator(".own-bids")).to_contain_text(CHANDLERY)
    expect(own.get_by_text("what you sealed counts when the round closes")).to_be_visible()
    expect(coin(ann, "gold", "Treasury")).to_have_value("1")


def bob_lifts_a_limit_on_a_phone(room: Room) -> None:
    """A tap on a card opens the form at that auction."""
    bob = room.phone
    lot(bob, "Bakery").click()
    expect(bob.get_by_role("spinbutton", name="gold on Bakery", exact=True)).to_be_focused()
    coin(bob, "bronze", "Bakery").fill("1")
    coin(bob, "silver", "Treasury").fill("1")
    what_i_can_do(bob).get_by_text("Lift a limit", exact=True).click()
    what_i_can_do(bob).get_by_label("Bid on any number of auctions").check()
    expect(left(bob)).to_contain_text("2 auctions")
    expect(forecast(bob)).to_contain_text("Lifting limits would cost")
    room.camera(bob, "coins-2-sheet-seen", whole=False)
    seal(bob, "auction limit lifted")
    expect(bob.get_by_role("region", name="Where you stand")).to_contain_text("Auction limit lifted")


def nobody_else_was_told(room: Room) -> None:
    """The first frame after the opening of the round is that of its close."""
    before = len(room.frames)
    seal(room.ann, "Sealed for round")
    assert len(room.frames) == before
    assert not any("counts" in frame and "Sealed for" in frame for frame in room.frames)


def ann_asks_what_if(room: Room) -> None:
    """It begins with what she has not sent, and follows it."""
    ann = room.ann
    coin(ann, "gold", "Treasury").fill("1")
    what_i_can_do(ann).get_by_text("What if?").click()
    typed = ann.locator("#calculator")
    expect(typed.locator('[name="prize[silver]"]')).to_have_value("5")
    expect(typed.locator('[name="bids[ann][gold]"]')).to_have_value("1")
    answer = typed.get_by_role("table", name="What each would get")
    expect(answer.get_by_role("row").nth(1)).to_contain_text("2 gold coins 5 silver coins")
    typed.locator('[name="bids[bob][gold]"]').fill("1")
    expect(answer.get_by_role("row")).to_have_count(3)
    coin(ann, "gold", "Treasury").fill("2")
    expect(typed.locator('[name="bids[ann][gold]"]')).to_have_value("2")
    expect(answer.get_by_role("row").nth(1)).to_contain_text("2 gold coins")


def the_round_brings_each_an_account(room: Room) -> None:
    room.host.do("close")
    for page in room.everybody():
        expect(lot(page, "Harbour")).to_be_visible()
        expect(page.get_by_role("region", name="Items so far")).to_contain_text("Crow's nest")
    expect(notice(room.ann, "Treasury brought you 2 gold coins and 5 silver coins.")).to_be_attached()
    account = room.ann.locator("#account-1")
    account.locator("> summary").click()
    expect(account).to_contain_text("for 1 gold")
    expect(account.get_by_role("heading", name="Bakery")).to_have_count(0)
    # The calculator has begun again.
    expect(room.ann.locator('[name="prize[garnet]"]')).to_have_value("1")
    expect(room.ann.locator('[name="bids[bob][gold]"]')).to_have_value("")


def ann_uses_an_item(room: Room) -> None:
    """To name a target is to use the item."""
    ann = room.ann
    coin(ann, "silver", "Harbour").fill("1")
    what_i_can_do(ann).get_by_text("Items and limits").click()
    what_i_can_do(ann).get_by_label("Crow's nest: on which auction?").select_option("Harbour")
    expect(what_i_can_do(ann).get_by_label("Use it: Crow's nest")).to_be_checked()
    open_all(ann)
    assert faults(ann, room.camera, "coins-5-items") == []
    seal(ann, "1 silver on Harbour; Crow's nest")
    coin(room.phone, "silver", "Harbour").fill("1")
    seal(room.phone, "1 silver on Harbour")
    room.host.do("close")


def the_winner_decides(room: Room) -> None:
    """Ann has most of both; cat and dan have least, and one of her two tokens is to be given away."""
    ann = room.ann
    for page in room.everybody():
        expect(page.get_by_role("heading", name="Decisions")).to_be_visible()
        expect(page.get_by_role("table", name="Coins at the end")).to_contain_text("most gold")
    ann.locator("#account-2 > summary").click()
    spied = ann.locator("#account-2 .account__spied")
    spied.locator("> summary").click()
    expect(spied).to_contain_text("Bob")
    decide(ann, "Dan", "Vote")
    expect(room.watcher.get_by_text("Dan is the Elimination Candidate.")).to_be_visible()
    decide(ann, "Bob", "Give the Token of Life")
    for page in room.everybody():
        expect(page.locator("#part-status").get_by_text("Finished", exact=True)).to_be_visible()


def everybody_reads_the_result(room: Room, hands: Hands) -> None:
    page = room.watcher
    page.locator("#part-status").get_by_role("link", name="The result").click()
    expect(page.get_by_role("heading", name="All bids, auction by auction")).to_be_visible()
    open_all(page)
    expect(page.locator("#opened-1")).to_contain_text("Auction limit lifted")
    expect(page.locator("#opened-2")).to_contain_text("Crow's nest on Harbour")
    assert faults(page, room.camera, "coins-7-result") == []
    assert hands.order("facts", pk=room.match["pk"])["wrong"] == []
    pushed = "".join(room.frames)
    for private in ("private", "only you", "Your purse", "Sealed for", "brought you", "What your spyglass showed"):
        assert private not in pushed, f"{private!r} was pushed to somebody who only watches"
