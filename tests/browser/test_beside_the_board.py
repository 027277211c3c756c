"""At a desk: what is beside the board when a player has something to do there, and when not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from matches.games.registry import all_games
from tests.browser.desk import fill_bid
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 900}
NAMES = ("ann", "bob", "cat")
ONE_WON = [("25h", "ann", {"type": "bid", "seat": "Y", "amount": 1})]
IDLE: dict[str, dict[str, Any]] = {
    "decision": {"at": "50h", "moves": ONE_WON},
    "finished": {"at": "12d", "moves": ONE_WON},
}


@pytest.mark.parametrize("phase", IDLE)
def test_a_player_with_nothing_to_do_sees_who_plays_and_what_happens(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], phase: str
) -> None:
    """The column would be empty, while the news are below the board."""
    people = [person(name) for name in NAMES]
    page = visit(people[1], viewport=DESK)
    page.goto(table(f"Idle when {phase}", people, **IDLE[phase])["url"])
    expect(page.locator(".match-side .players-panel")).to_be_in_viewport(ratio=1)
    expect(page.locator(".match-side .feed-panel")).to_be_in_viewport(ratio=1)
    expect(page.locator("#part-feed li").first).to_be_in_viewport(ratio=0.5)
    expect(page.locator("#part-feed")).to_have_count(1)


def test_forms_that_come_later_lie_over_that_and_move_nothing(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    page = visit(people[1], viewport=DESK)
    page.goto(table("Asked later", people, **IDLE["decision"])["url"])
    places = (
        "() => [...document.querySelectorAll('.match-side > .panel')].map((each) => each.getBoundingClientRect().y)"
    )
    before = page.evaluate(places)
    assert before
    form = '<section class="panel submission"><button class="submission__act" type="submit">Do it</button></section>'
    page.locator("#part-act").evaluate("(place, form) => { place.innerHTML = form; }", form)
    expect(page.get_by_role("button", name="Do it")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Do it").click(trial=True)
    assert page.evaluate(places) == before


@pytest.mark.parametrize("path", ["#act", "?lot=Y#act"])
def test_an_address_that_leads_to_the_forms_leaves_the_board_in_sight(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], path: str
) -> None:
    """Links of lists and notices end so: on a phone that opens the sheet."""
    people = [person(name) for name in NAMES]
    page = visit(people[0], viewport=DESK)
    page.goto(table("Straight to it", people, at="26h")["url"] + path)
    page.wait_for_load_state("networkidle")
    expect(page.locator("#part-act button[type=submit]").first).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


def test_that_nothing_was_sent_is_in_sight_where_the_button_is(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    """It stands at the head of the forms, which scroll by themselves."""
    people = [person(name) for name in NAMES]
    page = visit(people[0], viewport={**DESK, "height": 480})
    page.goto(table("Signed out", people, at="26h")["url"])
    button = fill_bid(page, "R", 2).get_by_role("button", name="Bid 2 on R")
    page.locator("#part-act section").first.evaluate("(form) => form.scrollIntoView({block: 'end'})")
    page.context.clear_cookies(name="sessionid")
    button.click()
    expect(page.locator("#answer")).to_contain_text("nothing was sent")
    expect(page.locator("#answer .field__error")).to_be_in_viewport(ratio=1)


def test_a_receipt_is_in_sight_where_the_button_is(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    page = visit(people[0], viewport={**DESK, "height": 480})
    page.goto(table("Sent below", people, at="26h")["url"])
    page.locator("#buy-chips > summary").click()
    page.locator('input[form="act-buy_chips"]').fill("1")
    page.get_by_role("button", name="Buy 1 for").click()
    expect(page.locator("#answer")).to_contain_text("Bought 1")
    expect(page.locator("#answer .receipt")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_the_names_of_what_a_player_has_stand_in_one_line(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], slug: str
) -> None:
    """Also where one amount is larger than the others, or is a drawing."""
    ann = person("ann")
    bots = [{"handle": f"bot{number}", "is_bot": True} for number in range(1, all_games()[slug].sizes.usual[0])]
    page = visit(ann, viewport=DESK)
    page.goto(table("In one line", [ann], at="1h", game=slug, config={}, free=bots)["url"])
    names = page.locator(".purse-strip .purse__name")
    tops = names.evaluate_all("(names) => names.map((each) => each.getBoundingClientRect().y)")
    assert len(tops) >= 3
    assert max(tops) - min(tops) < 1
