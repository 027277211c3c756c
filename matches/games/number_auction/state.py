"""The state of a match of Number Auction."""

import msgspec

from matches.engine.core import Sealed, State
from matches.games.number_auction.config import Config

TOKEN = "token"  # noqa: S105  (an asset, not a password)

Bids = dict[int, int]
"""One player's bids in a round: number -> tokens, all positive, in ascending order of numbers."""


class Lot(msgspec.Struct, frozen=True):
    """A number of a closed round: who got it, with which bid, and at which price; None if nobody did."""

    number: int
    player: str | None = None
    bid: int | None = None
    price: int | None = None


class ClosedRound(msgspec.Struct, frozen=True):
    """A round that is over. `lots` are public; `sealed` (everybody's bids) and `dropped` (player -> numbers whose bids
    did not go through) stay secret until the match is finished."""

    lots: tuple[Lot, ...]
    sealed: dict[str, Sealed[Bids]]
    dropped: dict[str, tuple[int, ...]]


class NumbersState(State[Config], frozen=True):
    """The state of a match of Number Auction.

    `order`: all numbers in the order of their auction; later rounds are secret. `round`: the number of the open round,
    from 1; 0 in the pregame; after the play that of the last one. `sealed`: player -> bids in the open round. `closed`:
    the closed rounds. `shown`: player -> publicly known tokens. `bought`: player -> number of purchases.
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
        """The numbers that can be bid on now, ascending; empty between rounds."""
        return self.numbers_of(self.round) if self.round > len(self.closed) else ()

    @property
    def lots(self) -> tuple[Lot, ...]:
        """Every number of a closed round, in the order of the rounds."""
        return tuple(lot for closed in self.closed for lot in closed.lots)

    @property
    def rounds(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each round that has begun, which are public."""
        return tuple(self.numbers_of(place) for place in range(1, self.round + 1))

    @property
    def owned(self) -> dict[str, tuple[int, ...]]:
        """Everybody's numbers, ascending; players in list order."""
        held: dict[str, list[int]] = {handle: [] for handle in self.core.handles}
        for lot in self.lots:
            if lot.player is not None:
                held[lot.player].append(lot.number)
        return {handle: tuple(sorted(numbers)) for handle, numbers in held.items()}
