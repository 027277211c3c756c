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
