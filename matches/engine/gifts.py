"""Gifts of Tokens of Life that are still to be made."""

from __future__ import annotations

from matches.engine.core import DECISION, Core, Gift
from matches.engine.ledger import TOL, balance


def promised(core: Core, player: str) -> int:
    """How many Tokens of Life the player must still give away, in public or in secret."""
    decisions = core.decisions
    if decisions is None or core.phase != DECISION:
        return 0
    made = decisions.secret_gifts  # made already, but moved only when everything is decided
    return sum(gift.count for gift in decisions.gifts if gift.giver == player and (made or gift.to is None))


def eligible_now(core: Core, gift: Gift) -> tuple[str, ...]:
    """The players who may get one of these tokens, in list order: those whom the game allows, otherwise those who hold
    no token and are not the EC."""
    if gift.eligible is not None:
        return gift.eligible
    return tuple(
        handle for handle in core.handles if not balance(core.purses, handle, TOL) and handle not in core.candidates
    )
