"""A host in one browser, a player in another: what the one does in the admin, the other sees at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import HostsDesk, bid, lot
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

# What waits as long as the overview's own regular question never comes.
NO_LONG_WAITS = """for (const name of ["setTimeout", "setInterval"]) {
    const real = window[name];
    window[name] = (what, wait, ...more) => (wait >= 10000 ? 0 : real(what, wait, ...more));
}"""


def open_overview(page: Page) -> Page:
    """All matches of a host, on a page that hears by its socket alone that something has changed."""
    page.add_init_script(NO_LONG_WAITS)
    page.goto("/admin/matches/match/overview/")
    return page


def create(page: Page, title: str) -> dict[str, Any]:
    """A draft made by the form; the match as `HostsDesk` wants it."""
    page.goto("/admin/matches/match/add/")
    page.get_by_role("link", name="F8, nine seats").click()
    page.get_by_label("Title").fill(title)
    pregame = page.locator("#id_config-pregame")
    pregame.fill("soon")
    expect(page.get_by_text("1 field needs correcting")).to_be_visible()  # nothing was sent
    expect(pregame).to_have_attribute("aria-invalid", "true")
    pregame.fill("")
    expect(page.get_by_text("1 field needs correcting")).to_have_count(0)
    page.get_by_role("button", name="Create the draft").click()
    expect(page.get_by_text("Not ready yet")).to_be_visible()
    found = re.search(r"/match/(\d+)/change", page.url)
    assert found
    return {"pk": int(found[1])}


def fill_in_players(page: Page, names: list[str]) -> None:
    """The usual table of players, a row for each username."""
    page.get_by_text("More rows").click()
    rows = page.locator("#players li").filter(has=page.get_by_label("Person"))
    for row, name in zip(rows.all(), names, strict=False):
        row.get_by_label("Person").fill(name)
        row.get_by_label("Garnets", exact=True).fill("3")
    page.get_by_role("button", name="Save the players").click()
    expect(page.get_by_text("Everything is ready")).to_be_visible()


def test_a_host_makes_a_match_and_runs_it_while_a_player_plays(
    visit: Visitors, host: Any, person: Callable[..., Any]
) -> None:
    ann, bob, cat = (person(name) for name in ("ann", "bob", "cat"))
    desk = visit(host)
    match = create(desk, "Hanna's table")
    fill_in_players(desk, [each["name"] for each in (ann, bob, cat)])
    console = HostsDesk(desk, match)
    console.do("Start now")
    expect(desk.get_by_text("The match has begun.")).to_be_visible()
    overview = open_overview(visit(host, own=True))
    expect(overview.get_by_text("Missing: Ann, Bob, Cat")).to_be_visible()

    player = visit(ann, viewport=PHONE)
    player.goto("/me/")
    player.locator("#main").get_by_role("link", name="Hanna's table").click()
    bid(player, "T", 2, verb="Seal")
    expect(overview.get_by_text("Missing: Bob, Cat")).to_be_visible()
    desk.reload()
    expect(desk.get_by_role("row", name=re.compile("ann")).get_by_text("submitted")).to_be_visible()
    assert "2 on T" not in desk.content()

    console.do("Pause…", Reason="The lights went out")
    expect(player.locator("#part-status").get_by_text("Paused", exact=True)).to_be_visible()
    expect(player.locator("#part-asked").get_by_text("2 on T")).to_be_visible()
    expect(player.get_by_role("button", name="Change…")).to_be_hidden()
    expect(player.locator("#part-feed").get_by_text("The lights went out").first).to_be_visible()
    expect(overview.get_by_text("paused since")).to_be_visible()
    console.do("Resume")
    expect(player.locator("#part-status").get_by_text("Paused", exact=True)).to_have_count(0)
    bid(player, "T", 3, verb="Seal")
    console.do("Extend or close…", "Close early…", Reason="All are in")
    expect(lot(player, "T")).to_have_attribute("data-amount", "3")
    bid(player, "U", 1)
    expect(lot(player, "U").locator('[data-mine="yours"]')).to_be_visible()
