"""What the server has refused is never shown as sealed, and can be thrown away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from matches.engine.draw import Draw
from matches.engine.match_time import spell
from matches.engine.settings import Entrant
from matches.games.registry import all_games
from tests.browser.desk import what_i_can_do
from tests.fixtures.chosen import one_in
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "kim", "leo")


def sealed_on_the_board(page: Page) -> list[str]:
    """What the board says is sealed: in words, or by the look of a number that is not called unsent."""
    return page.locator(".table__board").evaluate(  # type: ignore[no-any-return]
        """(board) => [...board.querySelectorAll("*")]
            .filter((each) => each.checkVisibility())
            .filter((each) => (!each.children.length && /\\bsealed\\b/.test(each.textContent))
                || each.matches("[data-shows]:not([data-shows*=unsent]), .on-board[data-counts]"))
            .map((each) => each.outerHTML)"""
    )


def an_hour_after_the_first_question(slug: str) -> str:
    """Match time at which somebody is asked for something, with the usual settings and as few players as may be."""
    game, draw = all_games()[slug], Draw(bytes(32))
    state = game.open(game.read_config({}), tuple(map(Entrant, NAMES[: game.sizes.least])), draw).state
    while not any(game.private_view(state, handle).asked for handle in state.core.handles):
        state = game.pass_deadline(state, draw).state
    return spell(state.core.time + timedelta(hours=1))


WITH_NUMBERS = [slug for slug, game in all_games().items() if not game.host_actions]
"""Where hosts act inside the rules, they say what is typed; with the usual settings it is a text."""


@pytest.mark.parametrize("game", one_in(2, WITH_NUMBERS))
def test_what_was_refused_is_not_sealed(
    game: str, visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES[: min(9, all_games()[game].sizes.usual[0])]]
    url = table("Refused", people, game=game, at=an_hour_after_the_first_question(game))["url"]
    for each in people:  # in a game of turns only one of them has a form
        page = visit(each)
        page.goto(url)
        sheet = what_i_can_do(page)
        button = sheet.locator("#part-act button.submission__act").first
        if button.count():
            break
    fields = f'[form="{button.get_attribute("form")}"]'
    for each in sheet.locator(f"details:has(input{fields})").all():
        each.evaluate("(fold) => { fold.open = true }")
    numbers = sheet.locator(f"input{fields}[type=number]")
    for choice in sheet.locator(f"select{fields}[data-lot-field]").all():
        choice.select_option(index=1)
    before = sealed_on_the_board(page)  # the board may speak of what is sealed
    numbers.last.fill("1")  # the server would take it, but not with the other
    numbers.first.fill("99999")
    button.click()
    expect(page.locator("#answer .field__error, #part-act .field__error").first).to_be_visible()
    expect(numbers.first).to_have_value("99999")
    assert sealed_on_the_board(page) == before

    page.locator("#unsent-line").get_by_role("button", name="Discard").click()
    expect(page.locator(".field__error")).to_have_count(0)
    expect(numbers.first).to_have_value("")
    assert sealed_on_the_board(page) == before
    page.locator("#unsent-line").get_by_role("button", name="Undo").click()
    expect(numbers.first).to_have_value("99999")
