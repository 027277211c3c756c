"""Board, purse and votes with their button are at hand, on the first screen and in few tabs, with as many players as
usual, in every phase."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.first_screen import shortcomings
from tests.fixtures.chosen import one_in
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
OUTLIVED = [  # ann stays on stage longest, bob leaves before her, and two of six others get a token of hers
    *MOVES,
    ("51h", "bob", {"type": "vote_a", "votes": {"ann": 1, "bob": 1}}),
    ("73h", "bob", {"type": "vote_a", "votes": {"ann": 1}}),
]
PHASES: dict[str, dict[str, Any]] = {
    "first round": {"at": "2h"},
    "on stage": {"at": "50h", "moves": MOVES},
    "gift": {"at": "97h", "moves": OUTLIVED},
    "finished": {"at": "20d", "moves": ALONE},
}


def test_a_player_sees_all_that_is_needed_at_once(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in (*GROUP_A, *GROUP_B)]
    page = visit(people[0])
    for phase, details in one_in(2, list(PHASES.items())):
        match = table("Footlights", people, game="together_we_survive", bring={"priority": 1}, **details)
        page.goto(match["url"])
        assert shortcomings(page, acts=phase != "finished") == [], phase
