"""Board, purse and the form with its button are at hand, on the first screen and in few tabs."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.hosts_match.game import PRESETS

pytestmark = pytest.mark.browser

NAMES = ("ann", "bob", "cat", "dan", "eve", "flo")
MOVES = [("1h", "ann", {"type": "answer", "answers": {"number": 4, "vote": "bob"}})]
PHASES: dict[str, dict[str, Any]] = {
    "open": {"at": "2h"},
    "sealed": {"at": "2h", "moves": MOVES},
    "judging": {"at": "30h", "moves": MOVES},
}


def test_a_player_sees_all_that_a_phase_needs(phases_fit: Callable[..., None]) -> None:
    phases_fit("hosts_match", NAMES, PHASES, ("judging",), config=dict(PRESETS["A secret vote with numbers"]))
