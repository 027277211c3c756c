"""In every phase the board, the purse and the form with its button are on the first screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.the_mvp.tests.table import NAMES, bid
from tests.browser.first_screen import beyond_first_screen, tabs_to_the_button

pytestmark = pytest.mark.browser

BIDS = [("1h", "ann", bid(U=4, V=3, P=2)), ("1h", "bob", bid(X=6)), ("49h", "dan", bid(W=3))]
PHASES: dict[str, dict[str, Any]] = {
    "first round": {"at": "2h"},
    "flags": {"at": "50h", "moves": BIDS},
    "last round": {"at": "73h", "moves": BIDS},
    "decision": {"at": "97h", "moves": BIDS},
    "finished": {"at": "20d", "moves": BIDS},
}


def test_all_that_one_plays_with_is_on_the_first_screen(
    visit: Callable[..., Any], person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in NAMES]
    page = visit(people[0])
    for phase, details in PHASES.items():
        match = table("Fruit cellar", people, game="the_mvp", config={"max_rounds": 3}, **details)
        page.goto(match["url"])
        assert beyond_first_screen(page, acts=phase != "finished") == [], phase
        if phase == "flags":
            assert tabs_to_the_button(page) <= 12
