"""The pages, as people meet them: no barrier that axe finds, nothing that scrolls sideways, no complaint from
the browser; on a phone and a desktop, in light and dark."""

import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import fill_bid
from tests.browser.looks import Camera, faults
from tests.browser.served import Hands
from tests.fixtures.any_game import GAME
from tests.fixtures.chosen import one_in
from tests.fixtures.chromium import PHONE, Visitors

pytestmark = pytest.mark.browser

SEALED = [
    ("1h", "ann", {"type": "bid", "seat": "Z", "amount": 3}),
    ("2h", "bob", {"type": "bid", "seat": "Z", "amount": 5}),
    ("3h", "cat", {"type": "bid", "seat": "Y", "amount": 3}),
]
OPEN = [
    *SEALED,
    ("25h", "ann", {"type": "bid", "seat": "Y", "amount": 4}),
    ("26h", "cat", {"type": "bid", "seat": "R", "amount": 1}),
    ("26h", "dan", {"type": "bid", "seat": "S", "amount": 2}),
    ("27h", "ann", {"type": "buy_chips", "count": 1}),
]
DECIDED = [  # ann wins with 1 on Y and gets two tokens, bob sits on three neighbours; dan and eve kept all their chips
    ("25h", "ann", {"type": "bid", "seat": "Y", "amount": 1}),
    ("25h", "bob", {"type": "bid", "seat": "Z", "amount": 3}),
    ("25h", "bob", {"type": "bid", "seat": "X", "amount": 4}),
    ("25h", "bob", {"type": "bid", "seat": "S", "amount": 6}),
    ("25h", "cat", {"type": "bid", "seat": "R", "amount": 5}),
]
NAMED = [*DECIDED, ("50h", "ann", {"type": "name_candidate", "player": "dan"})]
NAMES = ("ann", "bob", "cat", "dan", "eve")


class Season:
    """A host, five players, a match in each phase, and a season of four of them."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self.people = {name: hands.order("person", name=f"page-{name}", display_name=name.title()) for name in NAMES}
        self.host = hands.order("person", name="page-host", staff=True, display_name="Hanna the Host")
        cast = [self.people[name]["name"] for name in NAMES[:4]]
        self.url = hands.order("season", title="Autumn", host=self.host["name"], people=cast)["url"]
        self.coming = self._match("Friday table", None, [], joining="open", places=9)
        self.running = self._match("High stakes", "47h", OPEN)
        self.decision = self._match("The judge's chair", "50h", DECIDED)
        self.finished = self._match("First table", "12d", NAMED)

    def _match(self, title: str, at: str | None, moves: list[Any], **more: Any) -> dict[str, Any]:
        places = [
            {"handle": name, "username": person["name"], "garnets": 5, "priority": 9 - number}
            for number, (name, person) in enumerate(self.people.items())
        ]
        return self._hands.order(  # type: ignore[no-any-return]
            "table", title=title, host=self.host["name"], people=places, at=at, moves=moves, **more
        )


@pytest.fixture(scope="module")
def season(hands: Hands) -> Season:
    return Season(hands)


# name: who looks, at which match, with what behind its address
MATCH_PAGES = {
    "coming-player": ("ann", "coming", ""),
    "running-player": ("ann", "running", ""),
    "running-host": ("host", "running", ""),
    "decision-player": ("ann", "decision", ""),
    "talk-player": ("ann", "running", "talk/"),
    "talk-reports": ("host", "running", "talk/reports/"),
    "rules": ("", "running", "rules/"),
    "history": ("", "running", "history/"),
    "result": ("", "finished", "result/"),
    "log": ("ann", "finished", "log/"),
    "finished-replay": ("", "finished", "replay/"),
    "place": ("ann", "running", "place/"),
}
OTHER_PAGES = {
    "front-stranger": ("", "/"),
    "front-player": ("ann", "/"),
    "mine": ("ann", "/me/"),
    "matches": ("", "/matches/"),
    "game": ("", f"/games/{GAME.slug}/"),
    "person": ("", "/people/{ann}/"),
    "notices": ("ann", "/notices/"),
    "tokens": ("ann", "/profile/tokens/"),
    "sign-up": ("", "/accounts/signup/"),
    "sign-in": ("", "/accounts/login/"),
    "profile": ("ann", "/profile/"),
    "calendar": ("ann", "/profile/calendar/"),
    "reach": ("ann", "/profile/notices/"),
    "picture": ("ann", "/profile/picture/"),
    "not-found": ("", "/nothing/here/"),
    "season": ("ann", "{season}"),
    "season-cast": ("", "{season}cast/"),
    "season-story": ("", "{season}story/"),
    "season-predictions": ("eve", "{season}predictions/"),
    "hosting": ("host", "/admin/matches/match/overview/"),
    "admin-new": ("host", "/admin/matches/match/add/"),
}


def person_of(season: Season, name: str) -> Any:
    return season.host if name == "host" else season.people.get(name)


@pytest.mark.parametrize("name", one_in(2, [*MATCH_PAGES]))
def test_a_page_of_a_match_is_for_everybody(visit: Visitors, season: Season, camera: Camera, name: str) -> None:
    who, which, path = MATCH_PAGES[name]
    page = visit(person_of(season, who))
    answer = page.goto(f"{getattr(season, which)['url']}{path}")
    assert answer is not None
    assert answer.status == 200
    assert faults(page, camera, name) == []


@pytest.mark.parametrize("name", one_in(2, [*OTHER_PAGES]))
def test_a_page_of_the_site_is_for_everybody(visit: Visitors, season: Season, camera: Camera, name: str) -> None:
    who, path = OTHER_PAGES[name]
    page = visit(person_of(season, who))
    answer = page.goto(path.format(ann=season.people["ann"]["name"], season=season.url))
    assert answer is not None
    assert answer.status == (404 if name == "not-found" else 200)
    assert faults(page, camera, name) == []


@pytest.mark.parametrize("phase", ["coming", "running"])
def test_a_match_in_the_admin_is_for_everybody(visit: Visitors, season: Season, camera: Camera, phase: str) -> None:
    page = visit(season.host)
    page.goto(f"/admin/matches/match/{getattr(season, phase)['pk']}/change/")
    assert faults(page, camera, f"admin-{phase}") == []


def test_an_open_sheet_with_a_refused_bid_is_for_everybody(visit: Visitors, season: Season, camera: Camera) -> None:
    page = visit(season.people["bob"], viewport=PHONE)
    page.goto(season.running["url"])
    sheet = fill_bid(page, "T", 99)
    sheet.get_by_role("button", name="Bid 99 on T").click()
    expect(sheet.get_by_role("spinbutton", name="Chips")).to_have_attribute("aria-invalid", "true")
    camera.shoot(page, "sheet-refused", whole=False)
    assert faults(page, camera, "running-sheet") == []


def test_a_photo_that_is_too_large_is_made_smaller_before_it_is_sent(
    visit: Visitors, person: Callable[..., Any]
) -> None:
    page = visit(person("ann"))
    page.goto("/profile/picture/")
    field = page.get_by_label("Picture")
    field.set_input_files({"name": "noise.png", "mimeType": "image/png", "buffer": b"x" * 300_000})
    expect(page.get_by_role("alert")).to_contain_text("This file is too large")
    assert field.evaluate("(input) => input.files.length") == 0
    rows = zlib.compress(b"".join(b"\0" + bytes(range(256)) * 6 for _ in range(400)), level=0)
    head = struct.pack(">IIBBBBB", 512, 400, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    photo = b"\x89PNG\r\n\x1a\n"
    for name, data in parts:
        photo += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    field.set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": photo})
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Add picture").click()
    expect(page.get_by_text("You have saved your picture.")).to_be_visible()
