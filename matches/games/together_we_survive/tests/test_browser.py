"""A whole match in browsers: one player at a desk and one on a phone, seven who only hold a place, a host, and somebody
who watches. Rounds are closed by the host, so that no time has to pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.desk import decide, lot, notice, what_i_can_do
from tests.browser.looks import faults
from tests.browser.room import Room
from tests.browser.served import Hands

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

GROUP_A = ("ann", "bob", "cat", "dan")
GROUP_B = ("kim", "leo", "mia", "ned")


@pytest.fixture
def room(open_room: Callable[..., Room]) -> Room:
    return open_room("Footlights", (*GROUP_A, *GROUP_B), phone="kim", game="together_we_survive")


def votes_for(page: Page, name: str) -> Locator:
    return what_i_can_do(page).get_by_role("spinbutton", name=name)


def unfold(page: Page) -> None:
    """Opens the lists of fields, which need not be seen by those who vote on the board."""
    for fold in what_i_can_do(page).locator(".tws-rows:not([open]) > summary").all()[::-1]:
        fold.click()


def seal(page: Page, button: str, votes: dict[str, int]) -> None:
    """Seals votes by the form, and waits until the page says that it is done."""
    unfold(page)
    for name, count in votes.items():
        votes_for(page, name).fill(str(count))
    what_i_can_do(page).get_by_role("button", name=button).click()
    expect(page.locator("#answer")).to_contain_text("Sealed for round")


def test_a_match_is_played_to_its_result(room: Room, hands: Hands) -> None:
    votes_are_tried_out_and_sealed(room)
    votes_are_taken_back(room)
    a_round_closes(room)
    the_last_two_leave(room)
    the_winners_decide(room)
    everybody_reads_the_result(room, hands)


def votes_are_tried_out_and_sealed(room: Room) -> None:
    """What is left is said while one types; nobody else is told that anything was sealed."""
    ann, kim = room.ann, room.phone
    for page in room.everybody():
        expect(page.locator("#stage [data-lot]")).to_have_count(len(GROUP_A))
    expect(ann.locator("[data-votes]").first).to_be_attached()  # comes after the board, which leads to a page till then
    before = len(room.pushed)
    tile = ann.locator('.tws-tile:has([data-lot="ann"])')
    lot(ann, "ann").click()
    expect(tile).to_contain_text("1 unsent")
    ann.keyboard.press("+")
    ann.keyboard.press("Enter")
    tile.get_by_role("button", name="One fewer vote for Ann").click()
    expect(tile).to_contain_text("2 unsent")
    unfold(ann)
    expect(votes_for(ann, "Ann")).to_have_value("2")
    form = ann.get_by_role("region", name="Votes on stage")
    expect(form.get_by_text("2 votes chosen, 3 tokens left: 2 for Ann")).to_be_visible()
    expect(form.locator("#forecast-vote_a")).to_contain_text("2 votes on stage")
    too_many_are_refused_at_the_form(ann)
    seal(ann, "Seal stage votes", {"Ann": 2, "Bob": 1})
    expect(ann.get_by_text("Both kinds together cost")).to_be_visible()
    expect(tile).to_contain_text("2 sealed")
    expect(form).to_contain_text("3 votes sealed, 2 tokens left")
    seal(ann, "Seal votes for B", {"Kim": 2, "Leo": 1})
    counts = ann.get_by_role("region", name="Where you stand")
    expect(counts.get_by_text("Both together cost")).to_be_visible()
    expect(counts.locator(".tws-now")).to_contain_text("In group B:")

    room.camera(what_i_can_do(kim).page, "survive-1-sheet", whole=False)
    seal(kim, "Seal votes for B", {"Kim": 1, "Mia": 2})
    assert faults(ann, room.camera, "survive-1-sealed-axe") == []
    assert len(room.pushed) == before, "something was pushed while all was sealed"


def too_many_are_refused_at_the_form(page: Page) -> None:
    votes_for(page, "Ann").fill("9")
    expect(page.get_by_text("4 tokens too many")).to_be_visible()
    what_i_can_do(page).get_by_role("button", name="Seal stage votes").click()
    refusal = "Each vote costs a token, and you have 5 tokens"  # the forecast may say it too, by then
    at_the_form = page.locator('[data-of="vote_a"] .submission__foot .field__error')
    expect(at_the_form.get_by_text(refusal)).to_be_visible()
    expect(votes_for(page, "Ann")).to_have_value("9")


def votes_are_taken_back(room: Room) -> None:
    ann = room.ann
    what_i_can_do(ann).get_by_role("button", name="Take back the votes for B").click()
    expect(ann.locator("#answer")).to_contain_text("You took back your votes for group B")
    expect(votes_for(ann, "Kim")).to_have_value("")
    expect(votes_for(ann, "Ann")).to_have_value("2")


def a_round_closes(room: Room) -> None:
    """Cat and dan had no votes; mia had two, the most, and kim gains one."""
    room.host.do("close")
    for page in room.everybody():
        expect(page.locator("#stage [data-lot]")).to_have_count(2)
        expect(page.locator("#gallery")).to_contain_text("left in round 1")
    shares = room.watcher.locator("#shares")
    expect(shares.locator(".tws-tile").filter(has_text="Kim")).to_contain_text("1 vote +1")
    expect(shares.locator(".tws-tile").filter(has_text="Mia")).to_contain_text("2 votes most")
    expect(room.watcher.get_by_role("table", name="Group A")).to_contain_text("left")
    expect(votes_for(room.ann, "Ann")).to_have_value("")
    expect(room.ann.locator("#answer [data-said]")).to_have_count(0)  # what it said counted in the round before
    expect(notice(room.ann, "your votes for players on stage were counted")).to_be_attached()
    pushed = "".join(room.pushed)
    for private in ("only you", "Where you stand", "were counted", "sealed at", "sealed so far"):
        assert private not in pushed, f"{private!r} was pushed to somebody who only watches"


def the_last_two_leave(room: Room) -> None:
    """Nobody votes: ann and bob leave together, so cat and dan have lost group A, and kim has won group B."""
    room.host.do("close")
    for page in room.everybody():
        expect(page.get_by_role("heading", name="The stage is empty")).to_be_visible()


def the_winners_decide(room: Room) -> None:
    """Ann and bob vote for cat or dan; kim, alone, votes for one of three and has nobody to give a token to."""
    ann, kim = room.ann, room.phone
    nobody_is_chosen(ann)
    decide(ann, "Cat", "Vote for cat")
    expect(ann.locator("#answer")).to_contain_text("You voted for Cat")
    expect(room.watcher.get_by_text("the winners are voting").first).to_be_visible()
    room.camera(what_i_can_do(kim).page, "survive-3-decision", whole=False)
    decide(kim, "Leo", "Vote for leo")
    expect(kim.locator("#answer")).to_contain_text("You voted for Leo")
    room.host.do("close")
    for page in room.everybody():
        expect(page.locator("#part-status").get_by_text("Finished", exact=True)).to_be_visible()


def nobody_is_chosen(page: Page) -> None:
    """It is said at the choices, until one of them is made."""
    what_i_can_do(page).get_by_role("button", name="Vote", exact=True).click()
    missing = page.locator("#part-act").get_by_text("Choose a player.")
    expect(missing).to_be_visible()
    what_i_can_do(page).get_by_role("radio", name="Cat").check()
    expect(missing).to_have_count(0)


def everybody_reads_the_result(room: Room, hands: Hands) -> None:
    page = room.watcher
    page.locator("#part-status").get_by_role("link", name="The result").click()
    expect(page.get_by_text("win the match")).to_be_visible()
    for heading in ("How it ended", "Group A: who left when", "Group B: tokens", "Round by round"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    assert faults(page, room.camera, "survive-4-result-axe") == []
    facts = hands.order("facts", pk=room.match["pk"])
    assert (facts["status"], facts["wrong"]) == ("finished", [])
