"""What hosts do while a player types takes nothing away: every form of every match type, through a pause and beyond a
deadline that is put off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from matches.games.registry import all_games
from tests.browser.desk import fill_bid, lot
from tests.browser.hosts_forms import HostsForms
from tests.browser.served import Server
from tests.fixtures.chosen import one_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

LETTERS = "abcdefghkmnpqrstuvwxyz"
FIELDS = '#part-act :is(input, select, textarea)[form^="act-"]:not([type=hidden])'

_TYPE_INTO_ALL = """(fields) => fields.forEach((field) => {
    if (field.matches("[type=checkbox], [type=radio]")) field.checked = true;
    else if (field.options) field.selectedIndex = field.options.length - 1;
    else field.value = field.type === "number" ? Math.max(1, field.min) : "1";
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, {bubbles: true}));
})"""
_TYPED = """(fields) => fields.map((field) =>
    [field.form.id, field.name, field.matches("[type=checkbox], [type=radio]") ? field.checked : field.value])"""


def typed_in(page: Page) -> list[list[Any]]:
    """What stands in all fields of all forms."""
    found: list[list[Any]] = page.locator(FIELDS).evaluate_all(_TYPED)
    return found


def said_of(line: Locator) -> list[str]:
    """What the page says is not sent: the same in any order of the forms."""
    expect(line).to_have_text(re.compile("^Not sent yet: "))
    return sorted(line.inner_text().removeprefix("Not sent yet: ").split("; "))


@pytest.mark.parametrize("game", one_in(3, list(all_games())))
def test_what_is_typed_into_any_form_outlasts_a_pause_and_an_extension(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], server: Server, host: Any, game: str
) -> None:
    ann = person("ann")
    others = [person(letter * 3) for letter in LETTERS[1 : all_games()[game].sizes.usual[0]]]
    match = table("Not sent", [ann, *others], game=game, at="25h", config={}, bring={"priority": 1})
    page, desk = visit(ann), HostsForms(server, host, match)
    page.goto(match["url"])
    as_served = typed_in(page)
    page.locator(FIELDS).evaluate_all(_TYPE_INTO_ALL)
    typed = typed_in(page)
    assert typed != as_served
    line, pause = page.locator("#unsent-line span"), page.get_by_text("You can act again when it is resumed")
    words = said_of(line)
    page.evaluate("dispatchEvent(new Event('pagehide'))")

    desk.do("pause", reason="A storm")
    expect(pause).to_be_visible()
    assert said_of(line) == words
    desk.do("resume")
    expect(pause).to_have_count(0)
    assert (typed_in(page), said_of(line)) == (typed, words)

    desk.do("pause", reason="Another storm")
    expect(pause).to_be_visible()
    page.reload()  # the forms are not there
    assert said_of(line) == words
    desk.do("resume")
    expect(pause).to_have_count(0)
    assert (typed_in(page), said_of(line)) == (typed, words)

    due = page.locator("#part-status time").first.get_attribute("datetime")
    desk.do("extend", when="by", by="3h", reason="Whoever has lost power")
    expect(page.locator(f'#part-status time[datetime="{due}"]')).to_have_count(0)
    assert (typed_in(page), said_of(line)) == (typed, words)


def test_it_can_be_sent_after_the_pause(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], server: Server, host: Any
) -> None:
    ann = person("ann")
    match = table("Storms", [ann, person("bob"), person("cat")], at="25h")
    page, desk = visit(ann), HostsForms(server, host, match)
    page.goto(match["url"])
    sheet = fill_bid(page, "R", 2)
    desk.do("pause", reason="A storm")
    expect(page.get_by_text("You can act again when it is resumed")).to_be_visible()
    desk.do("resume")
    sheet.get_by_role("button", name="Bid 2 on R").click()
    expect(lot(page, "R")).to_have_attribute("data-amount", "2")
    expect(page.locator("#unsent-line")).to_be_empty()
