"""After the last round: the standings, the winner, the garnets, and the Elimination Candidate."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from matches.engine import decisions
from matches.engine.core import without_immune
from matches.engine.draw import Draw
from matches.engine.ledger import GARNET, TOL
from matches.engine.polls import naming
from matches.engine.step import Turn
from matches.games.number_auction.conditions import Holding, lines_of, met, unique_lines
from matches.games.number_auction.scoring import Points, score
from matches.games.number_auction.state import NumbersState


class Standing(msgspec.Struct, frozen=True):
    """One player's result."""

    numbers: tuple[int, ...]
    tokens: int
    points: Points
    conditions: tuple[str, ...]
    lines: tuple[str, ...]
    unique_lines: tuple[str, ...]

    @property
    def key(self) -> tuple[int, int, int]:
        """What decides the match, the most important first."""
        return len(self.unique_lines), len(self.conditions), self.points.total


DECIDED_BY = ("lines", "conditions", "points")
"""The names of the three parts of `Standing.key`."""


def standings(state: NumbersState) -> dict[str, Standing]:
    """Everybody's result after the last round, in list order."""
    held = {handle: Holding(numbers, state.shown[handle], state.rounds) for handle, numbers in state.owned.items()}
    conditions = {handle: met(holding) for handle, holding in held.items()}
    lines = {handle: lines_of(names) for handle, names in conditions.items()}
    unique = unique_lines(lines)
    return {
        handle: Standing(
            holding.numbers,
            holding.tokens,
            score(holding.numbers),
            conditions[handle],
            lines[handle],
            unique[handle],
        )
        for handle, holding in held.items()
    }


def deciding(table: Mapping[str, Standing]) -> tuple[str | None, str]:
    """The winner and what decided: most unique lines, then conditions, then points among players still tied.

    None and an empty text if the best players are equal in all three.
    """
    tied = list(table)
    for place, word in enumerate(DECIDED_BY):
        most = max(table[player].key[place] for player in tied)
        tied = [player for player in tied if table[player].key[place] == most]
        if len(tied) == 1:
            return tied[0], word
    return None, ""


def conclude(turn: Turn, state: NumbersState, draw: Draw) -> None:
    """Play is over: find the winner, pay the garnets, open the decision (or finish at once)."""
    table = standings(state)
    winner, decided_by = deciding(table)
    if winner is None:
        turn.announce("nobody_won")
    else:
        turn.winners = (winner,)
        turn.earn(winner, TOL, 1, "winner_token")
        turn.announce("match_won", player=winner, by=decided_by, count=table[winner].key[DECIDED_BY.index(decided_by)])
    for player, each in table.items():
        turn.earn(player, GARNET, len(each.conditions), "conditions")
        turn.earn(player, GARNET, len(each.lines), "lines")
        if each.conditions:
            turn.tell(player, "garnets_earned", conditions=len(each.conditions), lines=len(each.lines))
    poll = naming(turn.winners, candidates(turn, table))
    # No gifts: the match gives one token. A token that a host gave by a correction stays where it is.
    decisions.begin(turn, draw, polls=(poll,), window=state.config.decision_time, secret_gifts=())


def candidates(turn: Turn, table: Mapping[str, Standing]) -> tuple[str, ...]:
    """The possible ECs by the rule: the fewest points."""
    mortal = without_immune(turn.purses, turn.handles)
    fewest = min(table[player].points.total for player in mortal)
    return tuple(player for player in mortal if table[player].points.total == fewest)
