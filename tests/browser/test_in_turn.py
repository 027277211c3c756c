"""Scripts begin when a page has been painted, in turn (static/js/in-turn.js), and the page is there before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import fill_bid
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

BEGUN = """() => {
    window.begun = [];
    window.tasks = [];
    let inTurn;
    Object.defineProperty(window, "inTurn", {
        configurable: true,
        get: () => inTurn,
        set: (given) => { inTurn = (script) => given(() => {
            const number = begun.push(performance.getEntriesByName("first-contentful-paint").length);
            setTimeout(() => tasks.push([number, begun.length]));
            script();
        }); },
    });
}"""


def in_turn(page: Page, *scripts: str) -> None:
    """This page's scripts begin as they do for people, and what happens is noted by these scripts."""
    page.add_init_script("delete window.inTurn")
    for script in scripts:
        page.add_init_script(f"({script})()")


@pytest.fixture
def players(person: Callable[..., Any]) -> list[Any]:
    return [person(name) for name in ("ann", "bob", "cat")]


@pytest.fixture
def address(players: list[Any], table: Callable[..., Any]) -> str:
    """A page with a board, forms and all that is beside them."""
    return str(table("In turn", players, at="25h")["url"])


def test_an_address_and_a_reload_lead_to_where_one_was(visit: Visitors) -> None:
    """What is shown late is not there yet when a browser scrolls to it."""
    page = visit(own=True)
    in_turn(page)
    page.goto("/bots/#actions")
    expect(page.locator("#actions")).to_be_in_viewport()
    before = page.evaluate("scrollY")
    page.reload()
    assert page.evaluate("scrollY") == before
    page.goto("/seasons/")
    page.go_back()
    expect(page.locator("#actions")).to_be_in_viewport()


def test_scripts_begin_when_the_page_has_been_painted(visit: Visitors, players: list[Any], address: str) -> None:
    page = visit(players[0], own=True)
    in_turn(page, BEGUN)
    page.goto(address)
    page.wait_for_function("() => begun.length > 15")
    fill_bid(page, "R", 4)
    expect(page.locator("#forecast-bid")).to_contain_text("4 is free")
    begun = page.evaluate("begun")
    assert set(begun) == {1}


def test_on_a_slow_machine_each_script_is_a_task_of_its_own(visit: Visitors, address: str) -> None:
    page = visit(own=True)
    in_turn(page, BEGUN, "() => { let now = 0; performance.now = () => (now += 10); }")
    page.goto(address)
    page.wait_for_function("() => tasks.length > 15 && tasks.length === begun.length")
    assert all(number == begun for number, begun in page.evaluate("tasks"))


def test_scripts_begin_where_nothing_is_painted(visit: Visitors, address: str) -> None:
    page = visit(own=True)
    in_turn(page, BEGUN, "() => { PerformanceObserver.prototype.observe = () => {}; }")
    page.goto(address)
    page.wait_for_function("() => begun.length > 15")
