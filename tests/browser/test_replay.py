"""The replay of a finished match in a browser: by keys, by the slider, played, by link, and with one's own eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import lot
from tests.browser.looks import Camera, faults
from tests.fixtures.chromium import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MOVES = [
    ("1h", "ann", {"type": "bid", "seat": "V", "amount": 3}),
    ("2h", "bob", {"type": "bid", "seat": "R", "amount": 1}),
    ("25h", "cat", {"type": "bid", "seat": "R", "amount": 2}),
    ("26h", "bob", {"type": "bid", "seat": "Z", "amount": 1}),
]


@pytest.fixture
def match(person: Callable[..., Any], table: Callable[..., Any]) -> dict[str, Any]:
    people = [person(name) for name in ("ann", "bob", "cat")]
    return {**table("Over", people, at="30d", moves=MOVES), "ann": people[0]}


@pytest.fixture
def replay(visit: Visitors, match: dict[str, Any]) -> Page:
    """The replay, at its first moment."""
    page = visit()
    page.goto(f"{match['url']}replay/")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    return page


def number(page: Page) -> int:
    """The moment that is shown, from 1 on."""
    return int(page.locator("#replay-place").inner_text().split()[0])


def test_keys_and_the_slider_lead_to_any_moment(replay: Page, camera: Camera) -> None:
    replay.keyboard.press("ArrowRight")
    expect(replay.locator("#replay-told")).to_contain_text("seals")
    expect(replay.locator("#part-sealed")).to_contain_text("V")
    assert number(replay) == 2
    assert faults(replay, camera, "replay-axe") == []
    replay.keyboard.press("End")
    expect(replay.locator("#part-status")).to_contain_text("Finished")
    last = number(replay)
    replay.keyboard.press("Home")
    expect(replay.locator("#replay-place")).to_have_text(f"1 of {last}")
    replay.get_by_role("slider", name="Moment").fill(str(last))
    expect(replay.locator("#replay-place")).to_have_text(f"{last} of {last}")
    expect(lot(replay, "R")).to_have_attribute("data-amount", "2")
