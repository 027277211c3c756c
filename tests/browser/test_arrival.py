"""A page arrives in steps (static/css/arrival.css), all of it without scripts too, and scripts begin after it
(static/js/arrival.js)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.desk import fill_bid
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

STEPS = """() => {
    window.steps = [];
    const look = () => {
        // What is skipped is not asked, because that would style it, and begin its own animation.
        const hidden = [".page", "#main"].find((name) => {
            const element = document.querySelector(name);
            return !element || getComputedStyle(element).contentVisibility === "hidden";
        });
        if (document.getElementById("main")) steps.push(hidden ?? "nothing");
        if (steps.length < 20) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
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


def in_steps(page: Page, *scripts: str) -> None:
    """This page arrives as it does for people, and what happens is noted by these scripts."""
    page.add_init_script("delete window.inTurn")
    for script in scripts:
        page.add_init_script(f"({script})()")


@pytest.fixture
def players(person: Callable[..., Any]) -> list[Any]:
    return [person(name) for name in ("ann", "bob", "cat")]


@pytest.fixture
def address(players: list[Any], table: Callable[..., Any]) -> str:
    """A page with a board, forms and all that is beside them."""
    return str(table("In steps", players, at="25h")["url"])


def test_a_page_comes_in_steps_without_scripts(visit: Visitors, address: str) -> None:
    page = visit(own=True)
    in_steps(page, STEPS)
    held: list[Route] = []
    page.route("**/bundles/*.js", lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => steps.length === 20")
    steps = page.evaluate("steps")
    assert list(dict.fromkeys(steps)) == [".page", "#main", "nothing"]
    assert steps[-10:] == ["nothing"] * 10
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.locator("html")).to_contain_class("arrived")


def test_scripts_begin_when_the_page_has_been_painted(visit: Visitors, players: list[Any], address: str) -> None:
    page = visit(players[0], own=True)
    in_steps(page, BEGUN)
    page.goto(address)
    expect(page.locator("html")).to_contain_class("arrived")
    fill_bid(page, "R", 4)
    expect(page.locator("#forecast-bid")).to_contain_text("4 is free")
    begun = page.evaluate("begun")
    assert len(begun) > 15
    assert set(begun) == {1}


def test_on_a_slow_machine_each_script_is_a_task_of_its_own(visit: Visitors, address: str) -> None:
    page = visit(own=True)
    in_steps(page, BEGUN, "() => { let now = 0; performance.now = () => (now += 10); }")
    page.goto(address)
    page.wait_for_function("() => tasks.length > 15 && tasks.length === begun.length")
    assert all(number == begun for number, begun in page.evaluate("tasks"))


def test_scripts_begin_where_nothing_is_painted(visit: Visitors, address: str) -> None:
    page = visit(own=True)
    in_steps(page, BEGUN, "() => { PerformanceObserver.prototype.observe = () => {}; }")
    page.goto(address)
    page.wait_for_function("() => begun.length > 15")
