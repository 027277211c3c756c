"""The state of a match: everything that is needed to continue it."""

from __future__ import annotations

import msgspec

from matches.engine.core import State
from matches.engine.sealed import Sealed
from matches.games.number_auction.config import Config

TOKEN = "token"  # noqa: S105  (an asset, no password)

Bids = dict[int, int]
"""Number -> tokens, all positive, by number: what one player bids in a round."""


class Lot(msgspec.Struct, frozen=True):
    """A number whose round has closed: who took it with which bid for which price; None where nobody did."""

    number: int
    player: str | None = None
    bid: int | None = None
    price: int | None = None


class ClosedRound(msgspec.Struct, frozen=True):
    """A round that is over. `lots` are public; `sealed` (what everybody bid) and `dropped` (which numbers' bids
    did not go through, by player) stay secret until the match is finished."""

    lots: tuple[Lot, ...]
    sealed: dict[str, Sealed[Bids]]
    dropped: dict[str, tuple[int, ...]]


class NumbersState(State[Config], frozen=True):
    """The state of a match of Number Auction.

    `order`: all numbers in the order of their auction, a secret as to later rounds. `round`: the one that is
    open, counted from 1; 0 in the pregame; it stays at the last one after the play. `sealed`: the bids of the
    open round. `closed`: the rounds so far. `shown`: everybody's tokens as publicly known. `bought`: how many
    purchases each player has made.
    """

    order: tuple[int, ...]
    round: int = 0
    sealed: dict[str, Sealed[Bids]] = {}
    closed: tuple[ClosedRound, ...] = ()
    shown: dict[str, int] = {}
    bought: dict[str, int] = {}

    def numbers_of(self, number: int) -> tuple[int, ...]:
        """The numbers of a round, counted from 1, in ascending order."""
        each = self.config.numbers_per_round
        return tuple(sorted(self.order[(number - 1) * each : number * each]))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that can be bid on now, ascending; none where no round is open."""
        return self.numbers_of(self.round) if self.round > len(self.closed) else ()

    @property
    def lots(self) -> tuple[Lot, ...]:
        """Every number that is decided, in the order of the rounds."""
        return tuple(lot for closed in self.closed for lot in closed.lots)

    @property
    def rounds(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each round that has begun: what everyone may know."""
        return tuple(self.numbers_of(place) for place in range(1, self.round + 1))

    @property
    def owned(self) -> dict[str, tuple[int, ...]]:
        """Everybody's numbers, ascending, in list order of the players."""
        held: dict[str, list[int]] = {handle: [] for handle in self.core.handles}
        for lot in self.lots:
            if lot.player is not None:
                held[lot.player].append(lot.number)
        return {handle: tuple(sorted(numbers)) for handle, numbers in held.items()}
