"""A whole match in browsers: somebody who signs up and plays, one on a phone who had an account, a third who plays by a
program, a host, and somebody who only watches."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import bid, decide, fill_bid, lot, not_yet, notice, sign_up, what_i_can_do
from tests.browser.hosts_forms import HostsForms
from tests.browser.looks import Camera
from tests.browser.room import note_frames
from tests.browser.served import Hands, Server
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@dataclass
class Table:
    """Everybody's browsers at one match."""

    match: dict[str, Any]
    ann: Page
    bob: Page
    watcher: Page
    host: HostsForms
    cat: dict[str, Any]
    server: Server
    camera: Camera
    frames: list[str] = field(default_factory=list)

    def everybody(self) -> tuple[Page, Page, Page]:
        return self.ann, self.bob, self.watcher


@pytest.fixture
def at_table(
    visit: Visitors, server: Server, camera: Camera, person: Callable[..., Any], host: Any, table: Callable[..., Any]
) -> Table:
    """A published match with a kept place for ann and places for anybody; nobody in a browser has one yet."""
    bob, cat, dan, eve, fay = (person(name) for name in ("bob", "cat", "dan", "eve", "fay"))
    free = [{"handle": "ann", "name": "Ann", "garnets": 5, "priority": 12}]
    match = table("Friday night", [cat, dan, eve, fay], free=free, joining="open", places=6)
    found = Table(
        match,
        visit(),
        visit(bob, viewport=PHONE, color_scheme="dark", has_touch=True),
        visit(),
        HostsForms(server, host, match),
        cat,
        server,
        camera,
    )
    note_frames(found.watcher, found.frames)
    return found


def test_a_match_is_played_from_the_sign_up_to_the_result(at_table: Table, hands: Hands) -> None:
    everybody_comes(at_table)
    bids_are_sealed(at_table)
    the_auction_opens(at_table)
    people_outbid_each_other(at_table)
    seats_are_won(at_table)
    the_winner_decides(at_table)
    everybody_reads_the_result(at_table, hands)


def everybody_comes(table: Table) -> None:
    table.watcher.goto("/")
    table.watcher.get_by_role("link", name="Friday night").click()
    expect(table.watcher.get_by_role("heading", name="You are watching")).to_be_visible()

    table.ann.goto(table.match["invitations"]["ann"])
    table.ann.get_by_role("link", name="Sign up and play").click()
    sign_up(table.ann, "ann")
    table.ann.get_by_role("button", name="Join", exact=True).click()
    expect(table.ann.get_by_text("You are now in “Friday night” as Ann")).to_be_visible()

    table.bob.goto(table.match["url"])
    table.bob.get_by_role("button", name="Join", exact=True).click()
    expect(table.bob.get_by_role("heading", name="You have a place")).to_be_visible()
    expect(table.watcher.get_by_role("region", name="Players").get_by_text("Bob", exact=True)).to_be_visible()
    expect(table.bob.get_by_role("heading", name="Until play begins")).to_be_visible()
    table.camera(table.ann, "match-1-before-the-start")

    table.host.do("start")
    expect(table.bob.get_by_role("heading", name="Until play begins")).to_be_hidden()
    for page in table.everybody():
        expect(page.get_by_text("Sealed bids", exact=True).first).to_be_visible()


def bids_are_sealed(table: Table) -> None:
    """Only their owners see them; viewers are not even told that there are any."""
    before = len(table.frames)
    bid(table.ann, "V", 3, verb="Seal")
    counts = table.ann.get_by_role("region", name="Where you stand")
    expect(counts.get_by_text("3 chips on V")).to_be_visible()
    bid(table.ann, "R", 2, verb="Seal")
    expect(counts.get_by_text("2 chips on R")).to_be_visible()
    counts.get_by_role("button", name="Take it back").click()
    expect(counts.get_by_text("No sealed bid.")).to_be_visible()
    bid(table.ann, "R", 1, verb="Seal")
    bid(table.bob, "R", 2, verb="Seal")
    table.camera(table.ann, "match-2-sealed")
    table.camera(table.watcher, "match-2-sealed-watched")

    table.host.do("close")
    expect(lot(table.watcher, "R")).to_have_attribute("data-amount", "2")
    assert "The auction is open" in table.frames[before], "something was pushed while all was sealed"


def the_auction_opens(table: Table) -> None:
    """Ann's sealed 1 was outbid by bob's 2: she reads that at once, and where the chips went."""
    expect(notice(table.ann, "outbids you on R with 2")).to_be_attached()
    for page in table.everybody():
        expect(lot(page, "R")).to_have_attribute("data-amount", "2")


def people_outbid_each_other(table: Table) -> None:
    ann, bob = table.ann, table.bob
    table.watcher.get_by_label("read aloud").check()
    a_bid_is_refused_before_and_after_it_is_sent(ann)
    bid(ann, "Y", 1)
    for page in table.everybody():
        expect(lot(page, "Y")).to_have_attribute("data-amount", "1")
    expect(lot(ann, "Y").locator('[data-mine="yours"]')).to_be_visible()
    expect(table.watcher.locator("#live-region")).to_contain_text(re.compile(r"^Ann bids 1 on Y\."))
    expect(ann.locator("#live-region")).not_to_contain_text("bids 1 on Y.")

    table.camera(what_i_can_do(bob).page, "match-3-sheet", whole=False)
    bid(bob, "Z", 3)
    bid(bob, "X", 4)
    bob.goto("/me/")
    table.server.act(table.match, table.cat, type="bid", seat="R", amount=5)
    expect(bob.locator(".toast")).to_contain_text("Cat outbids you on R with 5")
    table.camera(bob, "match-4-outbid-elsewhere")
    bob.goto(table.match["url"])
    bid(bob, "S", 2)

    ann.get_by_text("Buy chips", exact=False).first.click()
    ann.get_by_label("How many").fill("1")
    ann.get_by_role("button", name="Buy 1 for 2 garnets").click()
    expect(ann.locator("#answer")).to_contain_text("Bought 1 chip")
    expect(ann.get_by_role("region", name="Your purse")).to_contain_text("17")
    table.camera(ann, "match-5-auction")
    table.camera(table.watcher, "match-5-auction-watched")


def a_bid_is_refused_before_and_after_it_is_sent(page: Page) -> None:
    sheet = fill_bid(page, "T", 2)
    expect(sheet.get_by_text("2 stands on R already")).to_be_visible()
    fill_bid(page, "R", 2)
    expect(sheet.get_by_text("A bid of 2 stands on R")).to_be_visible()
    fill_bid(page, "T", 99)
    sheet.get_by_role("button", name="Bid 99 on T").click()
    amount = sheet.get_by_role("spinbutton", name="Chips")
    expect(amount).to_have_attribute("aria-invalid", "true")
    expect(amount).to_have_value("99")
    said = page.locator(f"#{amount.get_attribute('aria-describedby')}")
    expect(said).to_contain_text("16")
    expect(lot(page, "T")).to_have_attribute("data-state", "open")


def seats_are_won(table: Table) -> None:
    """The host closes the first timer early, which moves the match's clock; the others end by themselves, as long
    after it as their bids were made. With the last of them nobody has bid for as long as a bid must stand."""
    table.host.do("close")
    expect(table.watcher.locator('[data-lot][data-state="won"]')).to_have_count(5, timeout=240_000)
    for page in table.everybody():
        expect(page.locator('[data-lot][data-state="won"]')).to_have_count(5)
        expect(page.get_by_role("heading", name="Decisions")).to_be_visible()
    expect(lot(table.ann, "Y").locator('[data-mine="by you"]')).to_be_visible()


def the_winner_decides(table: Table) -> None:
    """Ann names dan; then she gives away one of her two tokens, and bob has more to give than there are takers."""
    ann = table.ann
    expect(ann.get_by_text("Name the Elimination Candidate").locator("visible=true").first).to_be_visible()
    table.camera(ann, "match-6-decision")
    table.camera(table.watcher, "match-6-decision-watched")
    sheet = what_i_can_do(ann)
    sheet.get_by_label("Dan").check()
    not_yet(ann, "Name Dan")
    decide(ann, "Dan", "Name Dan")
    expect(ann.locator("#answer")).to_contain_text("You named Dan as Elimination Candidate")
    expect(table.watcher.get_by_text("Dan is the Elimination Candidate.")).to_be_visible()
    what_i_can_do(table.bob)
    table.camera(table.bob, "match-7-gifts", whole=False)
    decide(ann, "Cat", "Give the Token of Life")
    for page in table.everybody():
        expect(page.locator("#part-status").get_by_text("Finished", exact=True)).to_be_visible()


def everybody_reads_the_result(table: Table, hands: Hands) -> None:
    page = table.watcher
    page.locator("#part-status").get_by_role("link", name="The result").click()
    expect(page.get_by_text("wins the match")).to_be_visible()
    page.get_by_text("Check the seed").click()
    seed = page.locator("#seed").inner_text()
    facts = hands.order("facts", pk=table.match["pk"])
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == facts["seed_hash"]
    expect(page.get_by_text(facts["seed_hash"]).first).to_be_visible()
    assert (facts["seed"], facts["status"], facts["wrong"]) == (seed, "finished", [])
    for heading in ("What everybody had", "The seed"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_role("link", name="What hosts did")).to_be_visible()
    table.camera(page, "match-8-result")
    pushed = "".join(table.frames)
    for private in ("private", "only you", "purse", "Bought", "You have", "outbids you", seed):
        assert private not in pushed, f"{private!r} was pushed to somebody who only watches"
