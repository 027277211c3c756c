"""A duel of two people: one thumb places a number, and the other sees its colour, not the number."""

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
    ann, bob = (visit(each, motion=True) for each in people)
    ann.set_viewport_size(PHONE)
    for page in (ann, bob):
        page.goto(url)
        page.locator("html.ready").wait_for()
    expect(bob.locator("#part-act")).to_contain_text("Ann must now place a number")

    ann.locator(".move-bar > button").click()
    ann.locator("[data-slides]").fill("17")
    expect(ann.locator("#forecast-place")).to_contain_text("17 is white; you would keep 82 points and 5 lamps")
    ann.get_by_role("button", name="Place 17").click()
    expect(ann.locator("#part-purse")).to_contain_text("82")

    expect(bob.locator(".bw-stone--white[data-moment^='1-0']")).to_have_count(1)
    expect(bob.locator("#part-act")).to_contain_text("Ann has placed a white number")
    # No number of points; a deadline may well say 17:09.
    assert not re.search(r"(?<![\d:])(17|82)(?![\d:])", bob.locator("#part-board").inner_text())
    bob.get_by_label("Points, 0 to 99").fill("18")
    bob.get_by_role("button", name="Place 18").click()
    expect(ann.locator(".bw-seat", has_text="Bob").locator(".bw-seat__wins")).to_contain_text("1")
    expect(bob.locator("#part-act")).to_contain_text("You lead")


# Counts what a page plays, since nobody listens.
COUNT_TONES = """
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) { window.tones += 1; start.apply(this, at); };
"""


def test_each_of_two_sees_that_the_other_is_here_and_hears_that_it_is_their_turn(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in ("ann", "bob")]
    url = table("A live duel", people, game="black_and_white", at="10s", config={"first": "ann", "move_time": "3m"})[
        "url"
    ]
    ann, bob, stranger = visit(people[0]), visit(people[1], own=True), visit()
    bob.add_init_script(COUNT_TONES)
    ann.goto(url)
    others = ann.get_by_role("list", name="Who is here")
    expect(others).to_have_text(re.compile("Bob is not here"))
    bob.goto(url)
    expect(others).to_have_text(re.compile("Bob is here"))
    stranger.goto(url)
    expect(stranger.locator("#part-board")).to_be_visible()
    expect(stranger.get_by_role("list", name="Who is here")).to_have_count(0)

    bob.get_by_role("button", name="Sound on my turn: off").click()
    expect(bob.get_by_role("button", name="Sound on my turn: on")).to_be_visible()
    assert bob.evaluate("window.tones") == 0
    ann.get_by_label("Points, 0 to 99").fill("17")
    ann.get_by_label("Points, 0 to 99").hover()
    ann.mouse.wheel(0, 100)
    ann.get_by_role("button", name="Place 17").click()
    expect(bob.locator("#part-act")).to_contain_text("Ann has placed a white number")
    bob.wait_for_function("window.tones > 0")

    bob.goto("/matches/")
    expect(others).to_have_text(re.compile("Bob is not here"))
