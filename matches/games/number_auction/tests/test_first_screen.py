"""In every phase the board, the purse and the act with its button are at hand: on the first screen, in few tabs."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.number_auction.tests.table import ASCENDING, bid, one_each

pytestmark = pytest.mark.browser

BIDS = [("1h", "ann", one_each(1, 2, 3)), ("2h", "bob", bid({4: 9})), ("25h", "ann", bid({6: 30, 7: 40, 8: 90}))]
ONE_ROUND = {"rounds": 1, "numbers_per_round": 50}
PHASES: dict[str, dict[str, Any]] = {
    "pregame": {"config": {"pregame": "48h"}, "at": "1h"},
    "running": {"config": {"numbers": ASCENDING}, "at": "26h", "moves": BIDS},
    "decision": {"config": ONE_ROUND, "at": "25h", "moves": [("1h", "ann", one_each(1, 2))]},
    "finished": {"config": ONE_ROUND, "at": "100h", "moves": [("1h", "ann", one_each(1, 2))]},
}


def test_a_player_sees_all_that_a_phase_needs(phases_fit: Callable[..., None]) -> None:
    phases_fit("number_auction", ("ann", "bob", "cat", "dan"), PHASES, ("pregame", "finished"))
