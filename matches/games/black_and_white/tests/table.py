"""A match on the rules alone, for tests that look closer than a scenario file can."""

from __future__ import annotations

from typing import Any

from matches.games.black_and_white import GAME
from matches.games.black_and_white.play import DuelState
from matches.games.black_and_white.views import DuelPrivate, DuelPublic
from tests.games.rules_table import RulesTable


def place(points: int) -> dict[str, Any]:
    return {"type": "place", "points": points}


class Table(RulesTable[DuelState, DuelPublic, DuelPrivate]):
    """A match of this game; ann leads."""

    game = GAME
    lengths = {"first": "ann", "move_time": "24h"}

    def places(self, *numbers: int) -> Table:
        """Whoever's turn it is places each of these, a minute after the one before."""
        for number in numbers:
            player = self.state.on_turn
            assert player is not None
            self.act(self.state.core.time.total_seconds() + 60, player, place(number))
        return self


def duel(**config: Any) -> Table:
    """ann and bob."""
    return Table(ann={}, bob={}, config=config)
