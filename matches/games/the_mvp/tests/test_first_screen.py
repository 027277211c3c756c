"""In every phase the board, the purse and the form with its button are at hand: on the first screen, in few tabs."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.the_mvp.tests.table import DECK, NAMES, bid

pytestmark = pytest.mark.browser

BIDS = [("1h", "ann", bid(U=4, V=3, P=2)), ("1h", "bob", bid(X=6)), ("49h", "dan", bid(W=3))]
THREE_ROUNDS = {"max_rounds": 3}
RICH = {**THREE_ROUNDS, "chips": 100, "deck": DECK}
GIVES = [  # ann alone wins, and fay alone has the fewest points
    ("1h", "ann", bid(U=1, V=1, W=1, X=1, S=1, T=1)),
    ("1h", "bob", bid(P=1)),
    ("1h", "dan", bid(Q=1, R=1)),
]
PHASES: dict[str, dict[str, Any]] = {
    "first round": {"at": "2h"},
    "flags": {"at": "50h", "moves": BIDS},
    "gift": {"at": "97h", "moves": GIVES, "config": RICH},
    "finished": {"at": "20d", "moves": BIDS},
}


def test_a_player_sees_all_that_a_phase_needs(phases_fit: Callable[..., None]) -> None:
    phases_fit("the_mvp", NAMES, PHASES, ("finished",), config=THREE_ROUNDS)
