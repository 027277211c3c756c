"""A host runs a whole season in a browser, from an empty site to its end, and counts what that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Camera
from tests.browser.served import Hands
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

MATCHES = (
    ("Lowest Unique Integer", "F11, twelve seats"),
    ("Together We Survive", "A round a day"),
    ("Coin Collectors", "Five rounds, a day each"),
    ("Number Auction", "Ten days, a round a day"),
    ("The MVP", "Two weeks, a round a day"),
)
CAST = "\n".join(f"member{number}, bot, , {number}, {10 - number}, 2.5" for number in range(1, 11))


class Busy:
    """A host at the desk, whose clicks and typed fields are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.typed = page, 0, 0

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click()

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name).or_(self.page.get_by_role("link", name=name)).first)

    def type(self, label: str, text: str) -> None:
        self.typed += 1
        self.page.get_by_label(label, exact=True).fill(text)


def _book_the_death_match(desk: Busy) -> None:
    """As the page asks for it: who has lost, and how it was decided."""
    desk.press("Book the Death Match…")
    desk.click(desk.page.get_by_role("radio").first)
    desk.type("Reason", "Three games to one.")
    desk.press("Go on: what will happen?")
    expect(desk.page.get_by_text("Three games to one.").first).to_be_visible()
    desk.press("Yes: book the Death Match")
    expect(desk.page.get_by_text("The Death Match is booked.")).to_be_visible()


def test_a_season_of_five_matches_takes_few_clicks(
    visit: Visitors, host: dict[str, Any], hands: Hands, camera: Camera
) -> None:
    desk = Busy(visit(host))
    page = desk.page
    page.goto("/admin/")
    desk.click(page.get_by_role("main").get_by_role("link", name="Seasons", exact=True).last)
    desk.click(page.get_by_role("link", name="Add season").last)
    desk.type("Title", "Browser season")
    desk.type("Usual hour", "18:00")
    # Bots name nobody: so an opponent is drawn at once. Each Death Match is then booked by the host.
    desk.type("Time to name the opponent", "0")
    desk.press("Create the draft, then its cast")
    desk.type("Cast", CAST)
    expect(page.locator("#cast-read")).to_contain_text("10 names, and all of them can be used.")
    camera(page, "season-1-cast")
    desk.press("Add these members")
    camera(page, "season-2-draft")
    desk.press("Begin the season")
    desk.press("Yes: begin the season")

    left = 10
    for number, (title, preset) in enumerate(MATCHES, start=1):
        desk.press("Next match…")
        if number == 1:
            camera(page, "season-3-types")
        panel = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=title))
        expect(panel).to_contain_text(f"{left} are left")
        desk.click(panel.get_by_role("link", name=preset))
        if number == 3:
            camera(page, "season-4-next")
        desk.press("Make it, and publish…")
        desk.press("Go on: what will happen?")
        desk.press("Yes: publish")
        expect(page.get_by_text("Published.")).to_be_visible()
        found = hands.order("play_out", season="Browser season")
        assert (found["match"], found["wrong"]) == ("finished", [])
        assert found["left"] == left
        desk.click(page.get_by_role("link", name="Browser season", exact=True).first)
        _book_the_death_match(desk)
        left -= 1
    camera(page, "season-5-console")
    expect(page.get_by_role("cell", name="Out, place 6")).to_be_visible()
    desk.press("End the season…")
    desk.press("Yes: end the season")
    expect(page.get_by_text("The season has ended.")).to_be_visible()
    desk.click(page.get_by_role("link", name="Its page on the site"))
    expect(page.get_by_role("heading", name="Browser season")).to_be_visible()
    assert hands.order("play_out", season="Browser season")["season"] == "ended"
    assert desk.clicks <= 60, desk.clicks
    assert desk.typed <= 25, desk.typed
