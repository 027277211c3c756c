"""A host runs a whole season in a browser, from an empty site to its end, and counts what that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import Camera
from tests.browser.served import Hands
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

MATCHES = (
    ("Lowest Unique Integer", "F11, twelve seats"),
    ("Together We Survive", "A round a day"),
    ("Coin Collectors", "Five rounds, a day each"),
    ("Number Auction", "Ten days, a round a day"),
    ("The MVP", "Two weeks, a round a day"),
)
PEOPLE = 5
MOST_CLICKS, MOST_TYPED = 60, 25


class Busy:
    """A host at the desk, whose clicks and typed fields are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0
        self.typed: list[str] = []

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click()

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name).or_(self.page.get_by_role("link", name=name)).first)

    def type(self, label: str, text: str) -> None:
        self.typed.append(text)
        self.page.get_by_label(label, exact=True).fill(text)

    def confirm(self, yes: str) -> None:
        self.press("See what will happen")
        self.press(yes[0].upper() + yes[1:])


def _book_the_death_match(desk: Busy) -> None:
    """As the page asks for it: who has lost, and how it was decided."""
    desk.press("Book the Death Match…")
    desk.click(desk.page.get_by_role("radio").first)
    desk.type("Reason", "Three games to one.")
    desk.confirm("book the Death Match")
    expect(desk.page.get_by_text("The Death Match is booked.")).to_be_visible()


def _make(desk: Busy, title: str, people: list[str], bots: int, **choices: str) -> None:
    """A season from the console's first page to its beginning."""
    page = desk.page
    page.goto("/admin/")
    desk.click(page.get_by_role("main").get_by_role("link", name="Seasons", exact=True).last)
    desk.click(page.get_by_role("link", name="Add season").last)
    desk.type("Title", title)
    desk.type("Usual hour", "18:00")
    # Nobody is there to name an opponent: so one is drawn at once.
    desk.type("Time to name the opponent", "0")
    for label, choice in choices.items():
        desk.clicks += 1
        page.get_by_label(label.replace("_", " ")).select_option(choice)
    desk.press("Create the draft, then its cast")
    cast = [f"{name}, , , {number}, {10 - number}, 2.5" for number, name in enumerate(people, start=1)]
    cast += [f"member{number}, bot, , {number}, {10 - number}, 2.5" for number in range(1, bots + 1)]
    desk.type("Cast", "\n".join(cast))
    expect(page.locator("#cast-read")).to_contain_text(f"{len(cast)} names, and all of them can be used.")
    desk.press("Add these members")
    desk.press("Begin the season")
    desk.press("Begin the season")


def _play(desk: Busy, hands: Hands, season: str, match: tuple[str, str], left: int) -> None:
    """A match from the season's page until it is over, in which nothing is asked of the host."""
    page, (title, preset) = desk.page, match
    desk.press("Next match…")
    panel = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=title))
    expect(panel).to_contain_text(f"{left} are left")
    desk.click(panel.get_by_role("link", name=preset))
    desk.press("Make it, and publish…")
    desk.confirm("publish")
    expect(page.get_by_text("Published.")).to_be_visible()
    found = hands.order("play_out", season=season)
    assert (found["match"], found["wrong"]) == ("finished", [])
    assert found["commands"] == ["create", "publish"]
    desk.click(page.get_by_role("link", name=season, exact=True).first)


def _check(desk: Busy, hands: Hands, season: str) -> None:
    """The season has ended, and by hand few things were done, and no number was typed after its cast."""
    assert hands.order("play_out", season=season)["season"] == "ended"
    assert desk.clicks <= MOST_CLICKS, desk.clicks
    assert len(desk.typed) <= MOST_TYPED, len(desk.typed)
    after_the_cast = desk.typed[4:]
    assert not any(character.isdigit() for text in after_the_cast for character in text), after_the_cast


@pytest.fixture
def people(person: Callable[..., dict[str, Any]]) -> list[dict[str, Any]]:
    return [person(name) for name in ("ann", "bob", "cat", "dan", "eve")]


def test_a_season_of_five_matches_with_death_matches_takes_few_clicks(
    visit: Visitors, host: dict[str, Any], people: list[dict[str, Any]], hands: Hands, camera: Camera
) -> None:
    desk, season = Busy(visit(host)), "Browser season"
    page = desk.page
    _make(desk, season, [each["name"] for each in people], bots=5)
    for number, match in enumerate(MATCHES):
        _play(desk, hands, season, match, left=PEOPLE + 5 - number)
        _book_the_death_match(desk)
    camera(page, "season-console")
    expect(page.get_by_role("cell", name="Out, place 6")).to_be_visible()
    desk.press("End the season…")
    desk.press("End the season")
    expect(page.get_by_text("The season has ended.")).to_be_visible()
    desk.click(page.get_by_role("link", name="Its page on the site"))
    expect(page.get_by_role("heading", name="share the first place of the season")).to_be_visible()
    _check(desk, hands, season)
