"""In every phase the board, the purse and the act with its button are at hand: on the first screen, in few tabs."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.games.coin_collectors.tests.table import bid

pytestmark = pytest.mark.browser

SEALED = bid({"Bakery": {"silver": 1}, "Smithy": {"gold": 1, "bronze": 1}})
RICH = bid({"Smithy": {"silver": 1}})  # brings ann the most gold and the most coins: she has a token to give away
PHASES: dict[str, dict[str, Any]] = {
    "pregame": {"at": "1h"},
    "first round": {"at": "25h", "moves": [("24h", "ann", SEALED)]},
    "gift": {"at": "147h", "moves": [("24h", "ann", RICH), ("146h", "ann", {"type": "vote", "player": "bob"})]},
    "end": {"at": "300h", "moves": [("24h", "ann", RICH)]},
}


def test_a_player_sees_all_that_a_phase_needs(phases_fit: Callable[..., None]) -> None:
    names = ("ann", "bob", "cat", "dan", "eve", "fay", "gus")
    phases_fit("coin_collectors", names, PHASES, ("pregame", "end"), config={})
