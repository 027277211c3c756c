"""The state of a match of Lowest Unique Integer."""

from datetime import timedelta
from typing import Literal

import msgspec

from matches.engine.core import Sealed, State
from matches.games.lowest_unique_integer.config import Config

CHIP = "chip"

Ending = Literal["", "all_won", "silence", "stop"]


class SealedBid(msgspec.Struct, frozen=True):
    """The content of a sealed bid."""

    seat: str
    amount: int


class Bid(msgspec.Struct, frozen=True):
    """A standing or winning bid; `at` is when it was made."""

    player: str
    amount: int
    at: timedelta


class StandingRaise(msgspec.Struct, frozen=True):
    """A player's order to keep bidding on a seat up to an amount, known to that player alone; `at` is when it was made
    or last changed."""

    player: str
    seat: str
    up_to: int
    at: timedelta


class AuctionState(State[Config], frozen=True):
    """The state of a match of Lowest Unique Integer.

    `sealed`: player -> sealed bid, kept for the result. `dropped`: player -> code of the rule that their sealed bid
    broke. `standing` and `won`: seat -> bid. `last_bid_at`: when the latest bid was made. `bought`: player -> chips
    bought. `ending`, `ended_at`: why and when the auction ended. `tie_break`: player -> priority gained by making
    priorities unique. `raises`: standing raises, in the order in which they were made or last changed.
    """

    sealed: dict[str, Sealed[SealedBid]] = {}
    dropped: dict[str, str] = {}
    standing: dict[str, Bid] = {}
    won: dict[str, Bid] = {}
    last_bid_at: timedelta | None = None
    bought: dict[str, int] = {}
    ending: Ending = ""
    ended_at: timedelta | None = None
    tie_break: dict[str, int] = {}
    raises: tuple[StandingRaise, ...] = ()
