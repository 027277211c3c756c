"""Board, purse and votes with their button lie on the first screen, with as many players as usual, in every phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.first_screen import beyond_first_screen, tabs_to_the_button
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

GROUP_A = ("ann", "bob", "cat", "dan", "eve", "flo", "gil", "hal")
GROUP_B = ("ida", "jon", "kim", "leo", "mia", "ned", "oli", "pat")
MOVES = [
    ("1h", "ann", {"type": "vote_a", "votes": {"ann": 1, "bob": 1, "cat": 1, "dan": 1}}),
    ("1h", "eve", {"type": "vote_a", "votes": {"eve": 1, "flo": 1, "gil": 1}}),
    ("2h", "cat", {"type": "vote_b", "votes": {"kim": 2, "leo": 1}}),
    ("49h", "ann", {"type": "vote_b", "votes": {"kim": 2, "leo": 1}}),
]
ALONE = [*MOVES, ("51h", "ann", {"type": "vote_a", "votes": {"ann": 1}})]


def test_a_player_sees_all_that_is_needed_at_once(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in (*GROUP_A, *GROUP_B)]
    page = visit(people[0])
    for phase, at, moves in (("voting", "50h", MOVES), ("decision", "73h", ALONE)):
        match = table("Footlights", people, game="together_we_survive", at=at, moves=moves, bring={"priority": 1})
        page.goto(match["url"])
        assert beyond_first_screen(page) == [], phase
        assert tabs_to_the_button(page) <= 12, phase
