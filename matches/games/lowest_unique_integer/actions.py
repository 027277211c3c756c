"""What players can do."""

from __future__ import annotations

from matches.engine.actions import Action, GiveTokens, NameCandidate, action_types
from matches.engine.core import PREGAME, RUNNING


class PlaceBid(Action, frozen=True, tag="bid"):
    """Bid on a seat: sealed in the pregame, at once in the auction."""

    phases = (PREGAME, RUNNING)

    seat: str
    amount: int


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take the sealed bid back."""

    phases = (PREGAME,)


class BuyChips(Action, frozen=True, tag="buy_chips"):
    """Buy chips for garnets."""

    phases = (PREGAME, RUNNING)

    count: int


ACTIONS = action_types(PlaceBid, Withdraw, BuyChips, NameCandidate, GiveTokens)
