"""Board, purse and the form with its button are at hand, on the first screen and in few tabs."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.hosts_match.game import PRESETS
from tests.browser.first_screen import shortcomings
from tests.fixtures.chosen import one_in
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat", "dan", "eve", "flo")
MOVES = [("1h", "ann", {"type": "answer", "answers": {"number": 4, "vote": "bob"}})]
PHASES: dict[str, dict[str, Any]] = {
    "open": {"at": "2h"},
    "sealed": {"at": "2h", "moves": MOVES},
    "judging": {"at": "30h", "moves": MOVES},
}


def test_a_player_sees_all_that_is_needed_at_once(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    page = visit(people[0])
    config = PRESETS["A secret vote with numbers"]
    for phase, details in one_in(2, list(PHASES.items())):
        match = table("Ballot", people, game="hosts_match", config=dict(config), **details)
        page.goto(match["url"])
        assert shortcomings(page, acts=phase != "judging") == [], phase
