"""A page arrives in steps (static/css/arrival.css), also where its scripts are late, and they begin after it
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
        const main = document.getElementById("main");
        if (main) steps.push(getComputedStyle(main).contentVisibility);
        if (steps.length < 20) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
SLOWLY = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".main { animation-duration: 1h !important; }");
    document.adoptedStyleSheets = [sheet];
}"""
"""The page comes only when scripts say so, which is after all has been loaded."""
FADES = """() => {
    window.fades = [];
    const note = ({ target, propertyName }) => fades.push(`${target.className} ${propertyName}`);
    document.addEventListener("transitionrun", note, true);
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


def test_a_page_comes_in_steps_before_its_scripts(visit: Visitors, address: str) -> None:
    page = visit(own=True)
    in_steps(page, STEPS)
    held: list[Route] = []
    page.route("**/bundles/*.js", lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => steps.length === 20")
    steps = page.evaluate("steps")
    assert list(dict.fromkeys(steps)) == ["hidden", "visible"]
    assert steps[-10:] == ["visible"] * 10
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.locator("html")).to_contain_class("arrived")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_fades_in_as_a_page_comes(visit: Visitors, theme: str, address: str) -> None:
    """Chromium takes how elements look without style sheets for how they looked before."""
    page = visit(own=True, color_scheme=theme)
    in_steps(page, FADES)
    for path in ("/", "/accounts/login/", address):
        page.goto(path)
        expect(page.locator("html")).to_contain_class("arrived")
        assert page.evaluate("fades") == [], path
    lot = page.locator("[data-board] [data-lot]").first
    lot.hover()
    page.wait_for_function("() => fades.length > 0")  # what somebody does still shows


def test_the_hosts_pages_come_in_steps(
    visit: Visitors, host: Any, table: Callable[..., Any], players: list[Any]
) -> None:
    """The console and the desk; Django's own pages put the focus on a field at once, so they come whole."""
    match = table("For hosts", players, at="25h")
    page = visit(host, own=True)
    in_steps(page, STEPS)
    comes = {
        "overview/": ["hidden", "visible"],
        f"{match['pk']}/change/#players": ["hidden", "visible"],
        "": ["visible"],
    }
    for path, steps in comes.items():
        page.goto(f"/admin/matches/match/{path}")
        page.wait_for_function("() => steps.length === 20")
        assert list(dict.fromkeys(page.evaluate("steps"))) == steps, path
        if "#" in path:
            expect(page.locator("#players")).to_be_in_viewport()
            expect(page.locator("html")).to_contain_class("arrived")


@pytest.mark.parametrize("scripts", [(), (SLOWLY,)], ids=["quickly", "slowly"])
def test_an_address_and_a_reload_lead_to_where_one_was(visit: Visitors, scripts: tuple[str, ...]) -> None:
    """Browsers scroll as soon as they can, also before the page is shown."""
    page = visit(own=True)
    in_steps(page, *scripts)
    page.goto("/bots/#actions")
    expect(page.locator("#actions")).to_be_in_viewport()
    before = page.evaluate("scrollY")
    page.reload()
    assert page.evaluate("scrollY") == before
    page.goto("/seasons/")
    page.go_back()
    expect(page.locator("#actions")).to_be_in_viewport()
    page.goto("/bots/")
    page.evaluate("scrollTo(0, 700)")
    page.reload()
    assert page.evaluate("scrollY") == 700
    page.goto("/seasons/")
    page.go_back()
    assert page.evaluate("scrollY") == 700


def test_an_address_leads_to_its_place_without_scripts(visit: Visitors) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/bots/#actions")
    expect(page.locator("#actions")).to_be_in_viewport()


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
