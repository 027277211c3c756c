"""A whole match in browsers: one player at a desk, one of the other team on a phone, four who only hold a place, a
host, and somebody who watches. Three rounds, each closed by the host, so that no time has to pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from matches.games.the_mvp.cards import CARDS, PLACES
from tests.browser.desk import decide, lot, notice, what_i_can_do
from tests.browser.looks import faults
from tests.browser.room import Room
from tests.browser.served import Hands, Server

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

HANDLES = ("ann", "bob", "cat", "dan", "eve", "fay")
DECK = dict(zip(PLACES, CARDS, strict=True))
CONFIG = {"max_rounds": 3, "deck": DECK}


@pytest.fixture
def room(open_room: Callable[..., Room]) -> Room:
    return open_room("Fruit cellar", HANDLES, phone="bob", game="the_mvp", config=CONFIG)


def field_of(page: Page, place: str) -> Locator:
    card = DECK[place].replace("-", " ")
    return what_i_can_do(page).get_by_label(f"Chips to add to {place} {card}", exact=True)


def seal(page: Page, adds: dict[str, int], button: str = "Seal my bids") -> None:
    """Seals bids by the form, and waits until the page says that it is done."""
    for place, amount in adds.items():
        field_of(page, place).fill(str(amount))
    what_i_can_do(page).get_by_role("button", name=button).click()
    expect(page.locator("#answer")).to_contain_text("Sealed for round")


def test_a_match_is_played_to_its_result(room: Room, server: Server, hands: Hands) -> None:
    the_pattern_lies_open(room)
    bids_are_sealed_unseen(room, server)
    flags_are_put_up(room)
    chips_and_answers_are_bought(room)
    cards_are_claimed(room)
    the_last_round_takes_bids_on_exposed_cards_alone(room)
    the_winner_votes_and_gives(room)
    everybody_reads_the_result(room, hands)


def the_pattern_lies_open(room: Room) -> None:
    for page in room.everybody():
        expect(page.locator("#board [data-lot]")).to_have_count(24)
        expect(page.locator('#board [data-state="exposed"]')).to_have_count(4)
        expect(page.locator('#board [data-state="hidden"]')).to_have_count(15)
    exposed = room.watcher.get_by_role("link", name="U: grape 3, exposed, no flag")
    expect(exposed).to_be_visible()
    exposed.focus()
    room.watcher.keyboard.press("ArrowUp")
    expect(lot(room.watcher, "P")).to_be_focused()
    room.watcher.keyboard.press("ArrowLeft")
    room.watcher.keyboard.press("ArrowUp")
    expect(lot(room.watcher, "J")).to_be_focused()


def bids_are_sealed_unseen(room: Room, server: Server) -> None:
    ann, bob = room.ann, room.phone
    before = len(room.pushed)
    lot(ann, "U").press("Enter")
    expect(field_of(ann, "U")).to_be_focused()
    expect(field_of(ann, "U")).to_be_in_viewport(ratio=1)
    ann.get_by_role("button", name="One more on U", exact=True).first.click()
    expect(field_of(ann, "U")).to_have_value("1")
    expect(ann.locator('#board [data-own="U"]')).to_have_text("+1")
    expect(ann.locator('#board [data-own="U"] .mvp-own__chips--unsent')).to_be_visible()
    field_of(ann, "U").fill("31")
    expect(ann.locator("[data-left]")).to_contain_text("31 chips are 1 more than your 30 free ones")
    what_i_can_do(ann).get_by_role("button", name="Seal my bids").click()
    expect(what_i_can_do(ann).locator(".field__error").first).to_be_visible()
    expect(what_i_can_do(ann).get_by_role("button", name="Seal my bids")).to_have_attribute("aria-busy", "false")
    seal(ann, {"U": 5, "V": 3, "P": 2})
    expect(ann.locator("[data-left]")).to_contain_text("10 of your 30 free chips sealed, 20 left")
    expect(ann.locator('#board [data-own="U"]')).to_have_text("+5")
    expect(ann.locator("#board .mvp-own__chips--unsent")).to_have_count(0)
    seal(ann, {"U": 4}, "Seal this instead")
    purse = ann.get_by_role("region", name="Where you stand")
    expect(purse).to_contain_text("4 added")
    expect(ann.locator('#board [data-own="U"]')).to_have_text("+4")
    field_of(ann, "U").fill("0")
    expect(field_of(ann, "U")).to_have_value("")
    expect(ann.locator("#forecast-bid")).to_contain_text("You would add")
    field_of(ann, "U").fill("4")
    lot(bob, "U").tap()
    expect(field_of(bob, "U")).to_be_focused()
    room.camera.shoot(bob, "mvp-1-sheet", whole=False)
    seal(bob, {"U": 1, "X": 2})
    server.act(room.match, room.people["cat"], type="bid", adds={"W": 1})
    expect(room.watcher.locator("#board [data-own]:not(:empty)")).to_have_count(0)
    assert faults(ann, room.camera, "mvp-1-sealed-axe") == []
    assert len(room.pushed) == before, "something was pushed while all was sealed"


def flags_are_put_up(room: Room) -> None:
    """The forms are another round's then; who was in a field is in it still."""
    field_of(room.ann, "V").focus()
    room.host.do("close")
    for page in room.everybody():
        name = "U: grape 3, exposed, flagged by team red with 4 chips since round 1"
        expect(page.get_by_role("link", name=name)).to_be_visible()
        expect(lot(page, "X").locator(".mvp-pennant--green")).to_have_text("2")
    expect(room.ann.locator('#board [data-own="U"]')).to_have_text("4")
    expect(field_of(room.ann, "U")).to_have_value("")
    expect(field_of(room.ann, "V")).to_be_focused()
    pushed = "".join(room.pushed)
    for private in ("only you", "Your purse", "data-on-card", "what counts", "added<"):
        assert private not in pushed, f"{private!r} was pushed to somebody who only watches"


def chips_and_answers_are_bought(room: Room) -> None:
    ann, answer = room.ann, room.ann.locator("#answer")
    lot(ann, "A").click()
    sheet = what_i_can_do(ann)
    expect(sheet.get_by_label("Place", exact=True)).to_have_value("A")
    sheet.get_by_role("button", name="Ask about A for 1 garnet").click()
    expect(answer).to_contain_text("Asked which card lies on A")
    sheet.get_by_text("Ask where a card lies").click()
    sheet.get_by_label("Card", exact=True).select_option("apple-2")
    sheet.get_by_role("button", name="Ask for 2 garnets").click()
    expect(answer).to_contain_text("Asked where apple 2 lies")
    sheet.get_by_text("Buy chips", exact=False).first.click()
    sheet.get_by_label("How many chips").fill("2")
    sheet.get_by_role("button", name="Buy 2 for 2 garnets").click()
    expect(answer).to_contain_text("2 chips bought")
    expect(ann.locator("[data-left]")).to_contain_text("0 of your 23 free chips chosen, 23 left")
    expect(ann.get_by_role("region", name="Where you stand")).to_contain_text("answer comes when round 2 closes")
    expect(ann.locator('#board [data-own="A"]')).to_have_text("asked")
    expect(room.watcher.locator("#board [data-own]:not(:empty)")).to_have_count(0)


def cards_are_claimed(room: Room) -> None:
    room.host.do("close")
    for page in room.everybody():
        expect(page.locator("#board .mvp-slot")).to_have_count(4)
        expect(page.locator("#team-red")).to_contain_text("3 points")
    ann = room.ann
    expect(ann.locator('#board [data-own="A"]')).to_have_text("A1")
    expect(ann.locator('#part-panel [data-known="B"]')).to_contain_text("apple 2")
    expect(ann.locator('#part-panel [data-claim="U"]')).to_contain_text("you control it")
    expect(ann.locator('#part-panel [data-claim="W"]')).to_contain_text("not yours")
    expect(notice(ann, "You control grape 3 and grape 4")).to_be_attached()


def the_last_round_takes_bids_on_exposed_cards_alone(room: Room) -> None:
    ann = room.ann
    expect(ann.get_by_role("heading", name="Last round: only exposed cards take bids")).to_be_visible()
    expect(ann.locator("#add-K")).to_have_count(0)
    seal(ann, {"P": 1})
    room.host.do("close")


def the_winner_votes_and_gives(room: Room) -> None:
    """Of the others nobody controls a card that scores, so all of them are the lowest."""
    ann = room.ann
    for page in room.everybody():
        expect(page.get_by_role("heading", name="wins, 3 to 0")).to_be_visible()
        expect(page.locator("#board")).to_be_visible()
    room.camera.shoot(ann, "mvp-4-decision")
    decide(ann, "Dan", "Vote for dan")
    expect(room.watcher.locator("#part-decisions")).to_contain_text("Dan is the Elimination Candidate")
    decide(ann, "Cat", "Give")
    for page in room.everybody():
        expect(page.locator("#part-status").get_by_text("Finished", exact=True)).to_be_visible()


def everybody_reads_the_result(room: Room, hands: Hands) -> None:
    page = room.watcher
    page.locator("#part-status").get_by_role("link", name="The result").click()
    expect(page.get_by_text("wins the match")).to_be_visible()
    for heading in ("How it ended", "Sets and runs", "Who controlled what", "The pattern at the end"):
        expect(page.get_by_role("heading", name=heading, exact=True).first).to_be_visible()
    row = page.get_by_role("table", name="Who controlled what").get_by_role("row", name="U grape 3")
    expect(row).to_contain_text("Ann")
    assert faults(page, room.camera, "mvp-5-result-axe") == []
    facts = hands.order("facts", pk=room.match["pk"])
    assert (facts["status"], facts["wrong"]) == ("finished", [])
