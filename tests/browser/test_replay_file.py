"""The page that a replay can be saved as: opened from disk, without any site, it shows the match and plays it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import lot
from tests.browser.looks import sticking_out
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.browser

MOVES = [
    ("1h", "ann", {"type": "bid", "seat": "V", "amount": 3}),
    ("25h", "cat", {"type": "bid", "seat": "R", "amount": 2}),
]


def test_a_saved_replay_is_played_from_disk(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any], tmp_path: Path
) -> None:
    match = table("Kept", [person(name) for name in ("ann", "bob", "cat")], at="30d", moves=MOVES)
    page = visit(viewport=PHONE)
    page.goto(f"{match['url']}replay/")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save it as a page").click()
    file = tmp_path / "replay.html"
    saved.value.save_as(file)
    page.context.set_offline(True)
    page.goto(file.as_uri())
    expect(page.locator("#replay-place")).to_contain_text("1 of ")
    motion = "getComputedStyle(document.documentElement).getPropertyValue('--moment')"
    assert "250ms" in page.evaluate(motion)  # none before a page has arrived (css/arrival.css)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay-told")).to_contain_text("seals")
    page.keyboard.press("End")
    expect(page.locator("#part-status")).to_contain_text("Finished")
    expect(lot(page, "R")).to_have_attribute("data-amount", "2")
    assert sticking_out(page) == ""


def test_the_data_of_a_replay_are_saved_and_not_shown(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    match = table("Kept as data", [person(name) for name in ("ann", "bob", "cat")], at="30d", moves=MOVES)
    page = visit()
    page.goto(f"{match['url']}replay/")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save it as data").click()
    assert saved.value.suggested_filename == f"{match['id']}-replay.json"
    assert json.loads(saved.value.path().read_text())["frames"]
