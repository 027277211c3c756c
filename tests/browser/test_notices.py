"""A notice that comes while a page is open: seen in the tab, said once, and nothing moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import bid, notice
from tests.browser.served import Hands, Server
from tests.fixtures.chromium import PHONE, Visitors
from tests.fixtures.processes import ask_until

pytestmark = pytest.mark.browser

_WATCH = """() => {
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.moved += entry.value;
  }).observe({ type: "layout-shift", buffered: false });
  window.said = [];
  new MutationObserver(() => {
    const text = document.getElementById("live-region").textContent;
    if (text) window.said.push(text);
  }).observe(document.getElementById("live-region"), { childList: true, subtree: true, characterData: true });
}"""


def top_of_board(page: Any) -> float:
    """How far down the board begins; how high it is depends on its bids."""
    box = page.locator("#part-board").bounding_box()
    assert box is not None
    return float(box["y"])


@pytest.mark.parametrize("phone", [False, True])
def test_a_notice_moves_nothing_and_is_said_once(
    visit: Visitors,
    server: Server,
    hands: Hands,
    person: Callable[..., Any],
    table: Callable[..., Any],
    phone: bool,
) -> None:
    ann, bob = person("ann"), person("bob")
    auction = table("Live table", [ann, bob, person("cat")], at="25h")
    page = visit(ann, viewport=PHONE) if phone else visit(ann)
    page.goto(auction["url"])
    server.act(auction, ann, type="bid", seat="R", amount=1)
    # What the opening tells; her own bid tells her nothing. Nothing else comes until somebody outbids her.
    expect(page.get_by_role("link", name=re.compile(r"Notices: \d+ unread"))).to_be_visible()
    ask_until(lambda: hands.order("untold") == 0)  # of two notices the second may come after the first was read
    page.goto("/notices/")
    with page.expect_response(lambda answer: answer.url.endswith("/notices/read/")):
        page.get_by_role("button", name="I have read them all").click()
    expect(page.get_by_role("link", name="Notices: nothing new")).to_be_visible()
    page.goto(auction["url"])
    expect(page.get_by_role("link", name="Notices: nothing new")).to_be_visible()
    title = page.title()
    page.evaluate(_WATCH)
    still = page.context.new_page()  # where nothing else changes
    still.goto("/games/")
    expect(still.get_by_role("link", name="Notices: nothing new")).to_be_visible()
    still.evaluate(_WATCH)
    before = top_of_board(page)
    server.act(auction, bob, type="bid", seat="R", amount=3)
    expect(notice(page, "Bob outbids you on R with 3")).to_be_attached()
    expect(page.get_by_role("link", name="Notices: 1 unread")).to_be_visible()
    expect(page).to_have_title(f"(1) {title}")
    expect(page.locator("link[rel=icon]")).to_have_attribute(
        "href", re.compile(r"^data:image/svg\+xml,.*%3E1%3C%2Ftext")
    )
    assert top_of_board(page) == before
    expect(page.locator("#live-region")).to_contain_text("outbids you")
    assert sum("outbids you" in text for text in page.evaluate("window.said")) == 1
    expect(notice(still, "Bob outbids you on R with 3")).to_be_attached()
    assert still.evaluate("window.moved") == 0
    expect(page.get_by_role("region", name="Notices")).to_be_hidden()
    still.get_by_role("button", name="I have read this").click()
    expect(notice(page, "Bob outbids you")).to_have_count(0)
    expect(page).to_have_title(title)
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile(r"/favicon\."))
    bid(page, "S", 2)


_LISTEN = """
window.tones = 0;
window.ready = false;
window.OscillatorNode = class extends OscillatorNode { constructor(...all) { super(...all); window.tones += 1; } };
window.AudioContext = class extends AudioContext {
  constructor() { super(); this.onstatechange = () => { window.ready = this.state === "running"; }; }
};
"""


def test_a_sound_comes_with_each_notice_where_it_was_chosen(
    visit: Visitors, server: Server, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann, bob = person("ann"), person("bob")
    auction = table("Loud table", [ann, bob, person("cat")], at="25h")
    page = visit(ann)
    page.goto("/profile/notices/")
    page.get_by_label("Play a short sound").check()
    page.get_by_role("button", name="Save this").click()
    page.add_init_script(_LISTEN)
    page.goto(auction["url"])
    page.mouse.click(5, 300)
    page.wait_for_function("() => window.ready")
    server.act(auction, ann, type="bid", seat="R", amount=1)
    server.act(auction, bob, type="bid", seat="R", amount=3)
    expect(notice(page, "Bob outbids you on R with 3")).to_be_attached()
    page.wait_for_function("() => window.tones === 2")


def widths(page: Any, selector: str) -> list[float]:
    """Of these elements, in letters: how many of the page's own fit beside each other, about."""
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize) / 2"
    return page.locator(selector).evaluate_all(f"(all) => all.map((one) => one.clientWidth / ({size}))")


def test_where_letters_are_twice_as_large_a_phone_shows_words_and_not_single_letters(
    visit: Visitors, server: Server, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    ann, bob = person("ann"), person("bob")
    auction = table("Large letters", [ann, bob, person("cat")], at="25h")
    server.act(auction, ann, type="bid", seat="R", amount=1)
    server.act(auction, bob, type="bid", seat="R", amount=3)
    page = visit(ann, viewport=PHONE)
    page.goto("/games/")
    expect(page.locator(".notice-card")).to_be_visible()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    card, words = page.locator(".notice-card").bounding_box(), page.locator(".notice-card__link").bounding_box()
    assert words["y"] + words["height"] <= card["y"] + card["height"] + 1, "what it is about is cut off"
    assert min(widths(page, ".notice-card__text")) >= 11


def test_on_a_phone_what_is_wrong_with_an_address_is_read_first(visit: Visitors, person: Callable[..., Any]) -> None:
    page = visit(person("ann"), viewport=PHONE)
    page.goto("/profile/notices/")
    page.get_by_text("Add a webhook", exact=True).click()
    page.get_by_label("Address", exact=True).fill("http://example.org/hook")
    page.get_by_role("button", name="Add it").click()
    wrong = page.get_by_role("alert")
    expect(wrong).to_contain_text("The address must begin with https://.")
    expect(wrong).to_be_focused()
    expect(wrong).to_be_in_viewport(ratio=1)
    wrong.get_by_role("link", name="Address").click()
    expect(page.get_by_label("Address", exact=True)).to_be_in_viewport()
