"""A whole match in browsers: one player at a desk and one on a phone, two who only hold a place, a host, and somebody
who watches. Five rounds of ten numbers, each closed by the host, so that no time has to pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from matches.games.number_auction.tests.table import ASCENDING
from tests.browser.desk import decide, lot, notice, what_i_can_do
from tests.browser.looks import faults
from tests.browser.room import Room
from tests.browser.served import Hands

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

BESIDE = """(all) => all.map((one) => {
    const [grid, words] = [".na-grid", ".small"].map((part) => one.querySelector(part).getBoundingClientRect());
    return words.top < grid.bottom ? words.left - grid.right : 0;
})"""

CONFIG = {"rounds": 5, "numbers_per_round": 10, "numbers": ASCENDING, "pregame": "1h"}


@pytest.fixture
def room(open_room: Callable[..., Room]) -> Room:
    return open_room("Counting house", ("ann", "bob", "cat", "dan"), phone="bob", game="number_auction", config=CONFIG)


def field_of(page: Page, number: int) -> Locator:
    return what_i_can_do(page).get_by_label(f"Tokens on {number}", exact=True)


def type_bids(page: Page, bids: dict[int, int]) -> Locator:
    """Types bids into the form; its sheet comes back."""
    for number, amount in bids.items():
        field_of(page, number).fill(str(amount))
    return what_i_can_do(page)


def seal(page: Page, bids: dict[int, int]) -> None:
    """Seals bids by the form, and waits until the page says that it is done."""
    type_bids(page, bids).get_by_role("button", name="Seal").click()
    expect(page.locator("#answer")).to_contain_text("Sealed for round")


def test_a_match_is_played_to_its_result(room: Room, hands: Hands) -> None:
    tokens_are_bought_before_the_first_round(room)
    bids_are_tried_out_and_sealed(room)
    a_round_closes(room)
    numbers_are_tried_out(room)
    the_other_rounds_are_played(room)
    the_winner_names_the_candidate(room)
    everybody_reads_the_result(room, hands)


def tokens_are_bought_before_the_first_round(room: Room) -> None:
    for page in room.everybody():
        expect(page.get_by_text("rounds of 10 numbers")).to_be_visible()
    buy = room.ann.get_by_text("Buy tokens")
    buy.click()
    what_i_can_do(room.ann).get_by_role("button", name="Buy 10 tokens for 1 garnet").click()
    expect(room.ann.locator("#answer")).to_contain_text("10 tokens bought")
    expect(room.ann.get_by_role("region", name="Your purse")).to_contain_text("110")
    expect(room.ann.get_by_role("button", name="Buy 10 tokens for 2 garnets")).to_be_visible()
    room.host.do("close")
    for page in room.everybody():
        expect(page.locator("#now [data-lot]")).to_have_count(10)


def bids_are_tried_out_and_sealed(room: Room) -> None:
    """What does not fit is said while one types; nobody else is told that anything was sealed."""
    ann, bob = room.ann, room.phone
    before = len(room.pushed)
    sheet = type_bids(ann, {1: 30, 2: 40, 3: 50})
    expect(sheet.locator('[data-fate-of="3"]')).to_contain_text("dropped")
    expect(sheet.locator("#forecast-bid")).to_contain_text("Warning: the site would drop your bid on 3.")
    it_is_unsent_on_the_board(ann)
    a_bid_is_refused_at_its_field(ann)
    seal(ann, {1: 20, 2: 20, 3: 20, 4: 20, 6: 20})
    counts = ann.get_by_role("region", name="Where you stand")
    expect(counts.get_by_text("100 so far")).to_be_visible()
    expect(ann.locator("#play-1")).to_contain_text("sealed")
    seal(ann, {6: 10, 5: 20})
    expect(counts.get_by_text("110 so far")).to_be_visible()
    expect(field_of(ann, 6)).to_have_value("10")

    lot(bob, "2").first.click()
    expect(field_of(bob, 2)).to_be_focused()
    room.camera(type_bids(bob, {2: 9, 7: 5}).page, "numbers-2-sheet", whole=False)
    seal(bob, {2: 9, 7: 5})
    assert faults(ann, room.camera, "numbers-2-sealed-axe") == []
    assert len(room.pushed) == before, "something was pushed while all was sealed"


def it_is_unsent_on_the_board(page: Page) -> None:
    """The tiles show the same bids, and change them; what is sealed says so."""
    tile = page.locator("#play-1")
    expect(tile).to_contain_text("+1")
    tile.locator("button").last.dispatch_event("click")  # among more than five tiles it has no room to be shown
    expect(field_of(page, 1)).to_have_value("31")
    expect(tile).to_contain_text("31 + unsent")
    tile.locator("button").first.dispatch_event("click")
    expect(page.locator("#play-3")).to_contain_text("unsent ✕")
    expect(page.locator("#play-4")).not_to_contain_text("unsent")
    page.locator("#play-4 button").last.dispatch_event("click")
    expect(field_of(page, 4)).to_have_value("1")  # not 0, which would be one more press
    field_of(page, 4).fill("")


def a_bid_is_refused_at_its_field(page: Page) -> None:
    type_bids(page, {3: 999}).get_by_role("button", name="Seal").click()
    wrong = field_of(page, 3)
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_value("999")
    said = page.locator(f"#{wrong.get_attribute('aria-describedby')}")
    expect(said).to_contain_text("110 is the most that you can bid on 3")
    expect(field_of(page, 1)).to_have_value("30")
    expect(page.locator("[data-fate-of]").filter(has_text="goes through")).to_have_count(0)


def a_round_closes(room: Room) -> None:
    room.host.do("close")
    for page in room.everybody():
        expect(page.locator('#board [data-state="sold"]')).to_have_count(7)
        expect(page.locator('#now [data-lot="11"]')).to_be_visible()
    expect(notice(room.ann, "you have won 1 for")).to_be_attached()
    expect(room.watcher.get_by_role("table", name="Round 1")).to_contain_text("9")
    for page, told in ((room.watcher, "2 Ann, bid 20, paid 9, round 1"), (room.ann, "round 1, yours")):
        page.locator("#number-2").hover()
        expect(page.locator("#told")).to_contain_text(told)
    # The fields are those of the new round, and empty; what was typed for the old ones is gone.
    expect(field_of(room.ann, 11)).to_have_value("")
    expect(room.ann.get_by_label("Tokens on 1", exact=True)).to_have_count(0)
    for said in (room.ann.locator("#answer"), room.ann.locator("#forecast-bid")):
        expect(said).not_to_contain_text("10 on 6")
        expect(said).not_to_contain_text("Sealed for round")
    pushed = "".join(room.pushed)
    for private in ("only you", "Your purse", "you have won", "sealed at", "What counts"):
        assert private not in pushed, f"{private!r} was pushed to somebody who only watches"


def numbers_are_tried_out(room: Room) -> None:
    ann = room.ann
    what_i_can_do(ann).get_by_text("What if…").click()
    boxes = ann.get_by_role("group", name="If you owned these")
    expect(boxes.locator("input:checked")).to_have_count(6)
    expect(boxes.get_by_label("7 (gone)", exact=True)).to_be_attached()
    for number in (11, 12, 13):
        boxes.get_by_text(str(number), exact=True).click()
    answer = ann.locator("#ask-section-what_if .na-answer")
    expect(answer).to_contain_text("9 of 9 in a run, from 1 to 13.")
    boxes.get_by_role("link", name="Only mine").click()
    expect(boxes.locator("input:checked")).to_have_count(6)
    expect(answer).to_contain_text("6 of 9 in a run")
    room.camera(ann, "numbers-3-what-if")
    sheet = what_i_can_do(room.phone)
    sheet.get_by_role("link", name="Try numbers").click()
    expect(room.phone.get_by_role("group", name="If you owned these")).to_be_in_viewport()
    sheet.get_by_role("button", name="Close").click()


def the_other_rounds_are_played(room: Room) -> None:
    seal(room.ann, dict.fromkeys(range(11, 18), 1))
    room.host.do("close")
    expect(room.watcher.locator('#board [data-state="sold"]')).to_have_count(14)
    seal(room.phone, {21: 4})
    room.host.do("close")
    expect(room.watcher.locator('#board [data-state="sold"]')).to_have_count(15)
    first = room.watcher.locator("#collection-0")
    first.locator("summary").click()
    expect(first).to_contain_text("13 (9 needed) in a run, from 1 to 17.")
    room.host.do("close")
    expect(room.ann.get_by_text("This is the last round.")).to_be_visible()
    room.host.do("close")


def the_winner_names_the_candidate(room: Room) -> None:
    """Cat and dan have no number, so no points."""
    ann = room.ann
    for page in room.everybody():
        expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    room.camera(ann, "numbers-5-decision")
    decide(ann, "Dan", "Name dan")
    expect(ann.locator("#answer")).to_contain_text("You named Dan as Elimination Candidate")
    for page in room.everybody():
        expect(page.locator("#part-status").get_by_text("Finished", exact=True)).to_be_visible()


def everybody_reads_the_result(room: Room, hands: Hands) -> None:
    page = room.watcher
    page.locator("#part-status").get_by_role("link", name="The result").click()
    expect(page.get_by_text("wins the match")).to_be_visible()
    for heading in ("How it ended", "Points", "Conditions and lines", "Every bid", "What everybody had"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    beside = page.locator(".na-grids__one").evaluate_all(BESIDE)
    assert min(beside) >= 0, "words lie over the grid of conditions"
    page.locator("summary").filter(has_text="Round 1").click()
    expect(page.get_by_role("table", name="Bids of round 1")).to_contain_text("won for 9")
    assert faults(page, room.camera, "numbers-6-result-axe") == []
    facts = hands.order("facts", pk=room.match["pk"])
    assert (facts["status"], facts["wrong"]) == ("finished", [])
