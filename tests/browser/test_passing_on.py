"""A result handed to another app: its text, its address and its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.chromium import PHONE, Visitors

pytestmark = pytest.mark.browser

NOTED = """() => {
    navigator.canShare = () => true;
    navigator.share = async ({ text, url, files }) => { window.handed = { text, url, files: files.length }; };
}"""
WON = [("25h", "ann", {"type": "bid", "seat": "Y", "amount": 1})]


def test_the_text_that_is_shared_ends_without_the_marks_of_its_link(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    match = table("Passed on", [person(name) for name in ("ann", "bob", "cat")], at="12d", moves=WON)
    page = visit(viewport=PHONE)
    page.add_init_script(f"({NOTED})()")
    page.goto(f"{match['url']}result/")
    page.get_by_role("button", name="Share with the picture").click()
    handed = page.wait_for_function("() => window.handed").json_value()
    assert handed["text"].splitlines()[-1].endswith("||"), handed["text"]
    assert handed["url"].endswith(f"{match['url']}result/")
    assert handed["files"] == 1
