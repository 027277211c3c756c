"""What players can do."""

from __future__ import annotations

import msgspec

from matches.engine.actions import Action, GiveTokens, NameCandidate, action_types
from matches.engine.core import PREGAME, RUNNING


class PlaceBid(Action, frozen=True, tag="bid"):
    """Bid on a seat: sealed in the pregame, at once in the auction; there with a standing raise up to `up_to`, if
    that is given."""

    phases = (PREGAME, RUNNING)

    seat: str
    amount: int
    up_to: int | msgspec.UnsetType = msgspec.UNSET


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take the sealed bid back."""

    phases = (PREGAME,)


class BuyChips(Action, frozen=True, tag="buy_chips"):
    """Buy chips for garnets."""

    phases = (PREGAME, RUNNING)

    count: int


class Raise(Action, frozen=True, tag="raise"):
    """Make or change a standing raise on a seat. Where the player does not stand, it begins with the lowest bid that
    the seat takes."""

    phases = (PREGAME, RUNNING)  # in the pregame it is refused by `act`, which says whether sealed bids are taken
    is_aid = True

    seat: str
    up_to: int


class WithdrawRaise(Action, frozen=True, tag="withdraw_raise"):
    """End a standing raise. The bid that stands stays."""

    phases = (PREGAME, RUNNING)  # as above
    is_aid = True

    seat: str


ACTIONS = action_types(PlaceBid, Withdraw, BuyChips, Raise, WithdrawRaise, NameCandidate, GiveTokens)
