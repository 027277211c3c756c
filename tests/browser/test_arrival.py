"""A page arrives in steps, and all of it arrives without scripts too (static/css/arrival.css)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat")
STEPS = """() => {
    window.steps = [];
    const look = () => {
        const main = document.getElementById("main");
        if (main) steps.push(getComputedStyle(main).contentVisibility);
        if (steps.length < 20) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


def test_the_first_frame_skips_the_content_and_the_next_ones_show_it(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    page = visit(own=True)
    held: list[Route] = []
    page.route("**/bundles/*.js", lambda route: held.append(route))
    page.add_init_script(f"({STEPS})()")
    page.goto(table("In steps", [person(name) for name in NAMES])["url"], wait_until="commit")
    page.wait_for_function("() => steps.length === 20")
    steps = page.evaluate("steps")
    assert steps[0] == "hidden"
    assert set(steps[2:]) == {"visible"}
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.locator("html")).to_contain_class("arrived")
