"""In every phase the board, the purse and the act with its button are at hand: on the first screen, in few tabs."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.coin_collectors.tests.table import bid
from tests.browser.first_screen import shortcomings
from tests.fixtures.chosen import one_in
from tests.fixtures.chromium import Visitors

pytestmark = pytest.mark.browser

SEALED = bid({"Bakery": {"silver": 1}, "Smithy": {"gold": 1, "bronze": 1}})
RICH = bid({"Smithy": {"silver": 1}})  # brings ann the most gold and the most coins: she has a token to give away
PHASES: dict[str, dict[str, Any]] = {
    "pregame": {"at": "1h"},
    "first round": {"at": "25h", "moves": [("24h", "ann", SEALED)]},
    "gift": {"at": "147h", "moves": [("24h", "ann", RICH), ("146h", "ann", {"type": "vote", "player": "bob"})]},
    "end": {"at": "300h", "moves": [("24h", "ann", RICH)]},
}


def test_a_player_sees_all_that_a_phase_needs(
    visit: Visitors, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    people = [person(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gus")]
    page = visit(people[0])
    for phase, state in one_in(2, list(PHASES.items())):
        page.goto(table(f"In the {phase}", people, game="coin_collectors", config={}, **state)["url"])
        assert shortcomings(page, acts=phase not in ("pregame", "end")) == [], phase
