"""Pages that are enlarged twice and four times: a browser tells a page that its window is so much smaller. Nothing
scrolls sideways, and what stays at the head and the foot leaves most of the window to what one reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import sticking_out
from tests.browser.served import Server
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat")
SEALED = {"at": "1h", "moves": [("1h", "ann", {"type": "bid", "seat": "V", "amount": 3})]}
MOST = 0.2
MOST_OF_A_REPLAY = 0.36
"""Its bar is what one steers by, so it stays in sight as long as there is some room."""

# The first column of a table stays beside the others, not over them.
_COVERED = """() => {
    const stays = (element) => element && !element.matches("th")
        && (["fixed", "sticky"].includes(getComputedStyle(element).position) || stays(element.parentElement));
    const lines = Array.from({length: innerHeight}, (_, y) => y);
    return lines.filter((y) => stays(document.elementFromPoint(innerWidth / 2, y))).length / innerHeight;
}"""


def enlarged(times: int) -> dict[str, int]:
    """A window at a desk, as a page sees it."""
    return {"width": 1280 // times, "height": 900 // times}


def covered(page: Page) -> float:
    """How much of the height of the window lies under what does not scroll, in the middle of a page."""
    page.evaluate("scrollTo(0, 400)")
    found: float = page.evaluate(_COVERED)
    return found


@pytest.mark.parametrize("times", [2, 4])
def test_pages_of_a_match(visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], times: int) -> None:
    people = [person(name) for name in NAMES]
    match = table("Enlarged", people, **SEALED)
    page = visit(people[0], viewport=enlarged(times))
    for path in ("", "rules/", "history/", "talk/", "log/"):
        page.goto(match["url"] + path)
        assert covered(page) <= MOST, path
        assert sticking_out(page) == "", path


@pytest.mark.parametrize("times", [2, 4])
def test_a_notice_on_other_pages(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], server: Server, times: int
) -> None:
    people = [person(name) for name in NAMES]
    match = table("Something new", people, at="25h")
    page = visit(people[1], viewport=enlarged(times))
    server.act(match, people[1], type="bid", seat="R", amount=1)
    server.act(match, people[0], type="bid", seat="R", amount=2)
    page.goto("/me/")
    words = page.locator(".notice-card__text")
    expect(words).to_be_visible()
    for address in ("/me/", "/matches/", "/seasons/", "/profile/"):
        page.goto(address)
        expect(page.get_by_role("button", name="I have read this")).to_be_in_viewport(ratio=0.99)
        assert covered(page) <= MOST, address
        assert sticking_out(page) == "", address
        assert words.evaluate("(words) => words.offsetHeight <= words.parentElement.clientHeight")


@pytest.mark.parametrize(("times", "most"), [(2, MOST_OF_A_REPLAY), (4, MOST)])
def test_a_replay(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], times: int, most: float
) -> None:
    match = table("Seen again", [person(name) for name in NAMES], **{**SEALED, "at": "30d"})
    page = visit(viewport=enlarged(times))
    page.goto(f"{match['url']}replay/")
    expect(page.get_by_role("button", name="Play")).to_be_attached()
    assert covered(page) <= most
    assert sticking_out(page) == ""
    page.get_by_role("button", name="Play").scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
