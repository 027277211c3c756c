"""A host on a phone rehearses a draft, watches it go on by itself, and stops it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_hosting import create
from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_rehearsal_is_asked_for_read_watched_and_stopped(visit: Visitors, host: Any) -> None:
    desk = visit(host, viewport=PHONE)
    create(desk, "To be rehearsed")
    desk.get_by_role("button", name="Rehearse…").click()
    desk.get_by_role("button", name="Rehearse", exact=True).click()
    done = desk.get_by_text("Settings, players and start are still those of this rehearsal.")
    expect(done).to_be_visible(timeout=60_000)  # the page gets it by itself, when a worker has played
    assert fits(desk)

    desk.get_by_role("link", name="Watch it").click()
    bar, button = desk.locator("#part-bar"), desk.locator("#play")
    expect(button).to_have_text("Pause")
    expect(bar).to_contain_text("after")
    assert fits(desk)
    button.click()
    expect(button).to_have_text("Play")
    stopped = bar.inner_text()
    desk.get_by_role("link", name="Next event").click()
    expect(bar).not_to_have_text(stopped)
    expect(button).to_have_text("Play")
    desk.get_by_label("As seen by").select_option(index=1)
    desk.get_by_role("button", name="Show").click()
    expect(desk.locator("#part-panel")).to_contain_text("What counts for you")

    desk.get_by_role("link", name="End").click()
    expect(bar).to_contain_text("the end")
    expect(button).to_have_text("Play again")
    button.press("Enter")
    expect(button).to_have_text("Pause")
    expect(bar).not_to_contain_text("the end")
    assert fits(desk)
