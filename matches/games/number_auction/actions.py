"""What players can do, and what-if questions."""

from __future__ import annotations

from matches.engine.actions import Action, NameCandidate, action_types
from matches.engine.core import PREGAME, RUNNING


class PlaceBids(Action, frozen=True, tag="bid"):
    """The player's sealed bids of this round, replacing earlier ones: number (as text) -> tokens."""

    bids: dict[str, int]


class BuyTokens(Action, frozen=True, tag="buy_tokens"):
    """Buy one lot of tokens for garnets."""

    phases = (PREGAME, RUNNING)


class WhatIf(Action, frozen=True, tag="what_if"):
    """Ask what these numbers would score. `tokens`: with this many left; None means the asker's own tokens."""

    numbers: tuple[int, ...] = ()
    tokens: int | None = None


# At most one Token of Life is won, so there is never one to give away.
ACTIONS = action_types(PlaceBids, BuyTokens, NameCandidate)

QUESTIONS = action_types(WhatIf)
