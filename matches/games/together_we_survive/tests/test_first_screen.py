"""Board, purse and votes with their button are at hand, on the first screen and in few tabs, with as many players as
usual, in every phase."""

from collections.abc import Callable
from typing import Any

import pytest

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


def test_a_player_sees_all_that_a_phase_needs(phases_fit: Callable[..., None]) -> None:
    phases_fit("together_we_survive", (*GROUP_A, *GROUP_B), PHASES, ("finished",), bring={"priority": 1})
