"""A duel of two people: one thumb places a number, and the other sees its colour, not the number."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.chromium import PHONE, Visitors

pytestmark = pytest.mark.browser


def test_two_people_play_a_round_at_a_fast_pace(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in ("ann", "bob")]
    url = table("A fast duel", people, game="black_and_white", at="10s", config={"first": "ann", "move_time": "3m"})[
        "url"
    ]
    ann, bob = (visit(each) for each in people)
    ann.set_viewport_size(PHONE)
    for page in (ann, bob):
        page.goto(url)
        page.locator("html.ready").wait_for()
    expect(bob.locator("#part-act")).to_contain_text("Ann is to place a number")

    ann.locator(".move-bar > button").click()
    ann.locator("[data-slides]").fill("17")
    expect(ann.locator("#forecast-place")).to_contain_text("17 is white; you keep 82 points, 5 lamps")
    ann.get_by_role("button", name="Place 17").click()
    expect(ann.locator("#part-purse")).to_contain_text("82")

    expect(bob.locator(".bw-stone--white[data-moment^='1-0']")).to_have_count(1)
    expect(bob.locator("#part-act")).to_contain_text("Ann has placed a white number")
    assert not re.search(r"\b(17|82)\b", bob.locator("#part-board").inner_text())
    bob.get_by_label("Points, 0 to 99").fill("18")
    bob.get_by_role("button", name="Place 18").click()
    expect(ann.locator(".bw-seat", has_text="Bob").locator(".bw-seat__wins")).to_contain_text("1")
    expect(bob.locator("#part-act")).to_contain_text("You lead")
