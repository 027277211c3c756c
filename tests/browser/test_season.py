"""A host runs a whole season in a browser, from an empty site to its end, and counts what that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from matches.proof.check_export import OK, prove, read
from tests.browser.looks import Camera, faults
from tests.browser.served import Hands
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

PLAYED_OUT = (
    ("Lowest Unique Integer", "F11, twelve seats"),
    ("Number Auction", "Ten days, a round a day"),
)
JUDGED = ("Host's Match", "A secret vote with numbers")
MOST_CLICKS, MOST_TYPED = 55, 13


class Busy:
    """A host at the desk, whose clicks and typed fields are counted."""

    def __init__(self, page: Page, hands: Hands, season: str) -> None:
        self.page, self.hands, self.season = page, hands, season
        self.clicks = 0
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

    # -- a season ------------------------------------------------------------------------------------

    def make(self, people: list[str], bots: int) -> None:
        """The season, from the console's first page to its beginning."""
        page = self.page
        page.goto("/admin/")
        self.click(page.get_by_role("main").get_by_role("link", name="Seasons", exact=True).last)
        self.click(page.get_by_role("link", name="Add season").last)
        self.type("Title", self.season)
        self.type("Usual hour", "18:00")
        # Nobody is there to name an opponent: so one is drawn at once.
        self.type("Time to name the opponent", "0")
        self.press("Create the draft and go to its cast")
        cast = [f"{name}, , , {number}, {10 - number}, 2.5" for number, name in enumerate(people, start=1)]
        cast += [f"member{number}, bot, , {number}, {10 - number}, 2.5" for number in range(1, bots + 1)]
        self.type("Cast", "\n".join(cast))
        expect(page.locator("#cast-read")).to_contain_text(f"{len(cast)} names ready to add.")
        self.press("Add these members")
        self.press("Begin the season")
        self.press("Begin the season")

    def next_match(self, title: str, preset: str) -> None:
        """A match from the season's page to its publication."""
        self.press("Next match…")
        panel = self.page.get_by_role("listitem").filter(has=self.page.get_by_role("heading", name=title))
        self.click(panel.get_by_role("link", name=preset))
        self.publish()

    def publish(self) -> None:
        self.press("Create and publish…")
        self.press("Publish")
        expect(self.page.get_by_text("You have published the match.")).to_be_visible()

    def duel(self, left: int, what: str) -> None:
        """The match that the season asks for now, a Death Match or the final, played here."""
        expect(self.page.get_by_text(what)).to_be_visible()
        self.press("A day for each turn")
        self.publish()
        self.play_out(left)

    def judge(self) -> None:
        """The host's match: the results of its rounds, and its end."""
        page = self.page
        self.click(page.get_by_role("link", name=JUDGED[0]).first)
        for _ in range(2):
            self.hands.order("play_out", season=self.season)
            page.reload()
            self.press("Post the result…")
            self.confirm("post the result")
            expect(page.get_by_text("You posted the result of a round.")).to_be_visible()
        self.press("Say who has won…")
        self.click(page.get_by_label("has won").first)
        self.click(page.get_by_label("may become the candidate").last)
        self.confirm("say who has won")
        self.click(page.get_by_role("link", name=self.season, exact=True).first)

    def play_out(self, left: int) -> None:
        """Its time goes by. The season's books are right, and everybody reads them so."""
        found = self.hands.order("play_out", season=self.season)
        assert (found["match"], found["wrong"], found["left"]) == ("finished", [], left)
        assert found["commands"][:2] == ["create", "publish"]
        garnets = found["garnets"]
        assert sum(garnets.values()) == found["in_the_ledger"]
        self.page.reload()
        shown = self.page.locator("#cast tbody tr").evaluate_all(
            "(rows) => rows.map(({cells}) => [cells[0].innerText, cells[2].innerText.trim()])"
        )
        assert len(shown) == len(garnets)
        for name, amount in shown:
            assert str(garnets[name.split()[-1]]) == amount, name

    def send_out(self, number: int) -> None:
        """So many go, and the last two play the final."""
        for _ in range(number):
            self.press("Take a member out…")
            field = self.page.get_by_label("Member")
            self.clicks += 1
            field.select_option(index=1)
            self.type("Reason", "The best two of the matches play the final.")
            self.confirm("take a member out")


def test_a_whole_season_is_played_here_with_few_clicks(
    visit: Visitors, host: dict[str, Any], person: Callable[..., dict[str, Any]], hands: Hands, camera: Camera
) -> None:
    people = [person(name) for name in ("ann", "bob", "cat", "dan", "eve")]
    desk = Busy(visit(host), hands, "Browser season")
    page = desk.page
    desk.make([each["name"] for each in people], bots=3)
    for number, match in enumerate((*PLAYED_OUT, JUDGED)):
        desk.next_match(*match)
        if match == JUDGED:
            desk.judge()
        desk.play_out(left=8 - number)
        desk.duel(7 - number, "Play the Death Match here")
    camera(page, "season-console")
    desk.send_out(3)
    desk.duel(1, "Only two are left, so make the final.")
    ended = hands.order("play_out", season=desk.season)
    assert (ended["season"], ended["wrong"]) == ("ended", [])
    assert desk.clicks <= MOST_CLICKS, desk.clicks
    assert len(desk.typed) <= MOST_TYPED, desk.typed
    after_the_cast = desk.typed[4:]
    assert not any(character.isdigit() for text in after_the_cast for character in text), after_the_cast
    page.get_by_role("link", name="View on the site").click()
    expect(page.get_by_role("heading", name="wins the season")).to_be_visible()
    export = page.request.get(f"/api/v1/seasons/{page.url.rstrip('/').rsplit('/', 1)[1]}/export/")
    assert prove(read(export.body()), [ended["head"]])[0] == OK


def test_two_seasons_side_by_side_with_the_same_people_go_to_their_ends(
    visit: Visitors, host: dict[str, Any], person: Callable[..., dict[str, Any]], hands: Hands, camera: Camera
) -> None:
    """On the way the pages around a season are looked at."""
    ann, bob, zoe = (person(name) for name in ("ann", "bob", "zoe"))
    first = Busy(visit(host), hands, "Side by side")
    first.make([ann["name"], bob["name"]], bots=0)
    console = first.page.url
    first.press("Duplicate…")
    first.press("Duplicate")
    second = Busy(first.page, hands, "Side by side 2")
    second.press("Ask for applications…")
    second.type("Questions", "Why do you want to play?")
    second.type("Places", "2")
    second.type("Applications close", "2099-01-01T12:00")
    second.confirm("ask for applications")
    second.click(second.page.get_by_role("link", name="Applications (0)…"))
    watcher = visit(zoe)
    watcher.goto(second.page.get_by_label("Link to share").input_value())
    assert faults(watcher, camera, "season-apply") == []
    watcher.get_by_label("Why do you want to play?").fill("I like watching better.")
    watcher.get_by_role("button", name="Apply").click()
    expect(watcher.get_by_text("We have your application.").first).to_be_visible()
    second.page.reload()
    assert faults(second.page, camera, "admin-season-applications") == []
    watcher.get_by_role("button", name="Withdraw my application").click()
    second.press("Go to the season")
    second.press("Paste a list…")
    second.type("Cast", f"{ann['name']}\n{bob['name']}")
    second.press("Add these members")
    second.press("Begin the season")
    second.press("Begin the season")
    places = {first: console, second: first.page.url.partition("#")[0]}

    watcher.goto("/profile/picture/")
    assert faults(watcher, camera, "picture") == []
    for season, winner in ((first, ann), (second, bob)):
        watcher.goto("/seasons/")
        watcher.get_by_role("link", name=season.season, exact=True).click()
        watcher.get_by_role("link", name="Predictions").click()
        question = watcher.get_by_role("region", name="Who wins the season?")
        question.get_by_label("Your prediction").select_option(winner["name"])
        question.get_by_role("button", name="Predict").click()
        expect(watcher.get_by_text("We have saved your prediction.")).to_be_visible()
    assert faults(watcher, camera, "season-predictions") == []

    for season, console in places.items():
        season.page.goto(console)
        expect(season.page.get_by_text("Only two are left, so make the final.")).to_be_visible()
        season.press("A day for each turn")
        season.publish()
    player = visit(ann)
    player.goto("/me/")
    for season in places:  # both finals are played at once
        expect(player.get_by_role("link", name=f"{season.season}: 1. Black and White")).to_be_visible()
    for season, console in places.items():
        season.page.goto(console)
        season.play_out(left=1)
    for season, points in ((first, "3"), (second, "0")):
        watcher.goto("/seasons/")
        watcher.get_by_role("link", name=season.season, exact=True).click()
        expect(watcher.get_by_role("heading", name=f"{ann['name']} wins the season")).to_be_visible()
        watcher.get_by_role("link", name="Predictions").click()
        row = watcher.get_by_role("row").filter(has=watcher.get_by_role("rowheader", name=zoe["name"]))
        expect(row.get_by_role("cell").last).to_have_text(points)
    for part in ("Cast", "Story"):
        watcher.get_by_role("link", name=part, exact=True).click()
        assert faults(watcher, camera, f"season-{part.lower()}-ended") == []
    player.goto("/notices/")
    for season in places:
        expect(player.get_by_text(f"News of the season · {season.season}", exact=True).first).to_be_attached()
