"""In every phase the board, the purse and the act with its button are at hand: on the first screen, in few tabs."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def place(at: str, who: str, points: int) -> tuple[str, str, dict[str, Any]]:
    return at, who, {"type": "place", "points": points}


BOB_LEADS = {"first": "bob"}
ROUNDS = [place("1h", "bob", 12), place("2h", "ann", 3), place("3h", "bob", 0), place("4h", "ann", 7)]
PHASES: dict[str, dict[str, Any]] = {
    "pregame": {"config": {**BOB_LEADS, "pregame": "48h"}, "at": "1h"},
    "own turn": {"config": BOB_LEADS, "at": "26h", "moves": ROUNDS},
    "other's turn": {"config": BOB_LEADS, "at": "6h", "moves": [*ROUNDS, place("5h", "ann", 20)]},
    "many rounds and lamps": {
        "config": {**BOB_LEADS, "rounds": 25, "points": 999, "lamp": 1, "move_time": "3m"},
        "at": "2m",
        "moves": [place("1m", "bob", 12)],
    },
    "finished": {"config": {**BOB_LEADS, "wins": 1}, "at": "26h", "moves": ROUNDS[:2]},
}


def test_a_player_sees_all_that_a_phase_needs(phases_fit: Callable[..., None]) -> None:
    phases_fit("black_and_white", ("ann", "bob"), PHASES, ("pregame", "other's turn", "finished"))
