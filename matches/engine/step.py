"""The result of one event (`Step`), and the object on which rules collect it (`Turn`).

Rules record postings, bids and announcements on a `Turn` and end with `turn.step(state)`. The turn keeps the balances
in the state and the postings in the step equal. It also notes whose view has changed, so that no player's version
number changes because of another player's secret.
"""

from datetime import timedelta
from typing import Any, Generic, Literal, TypeVar

import msgspec

from matches.engine.core import (
    GARNET,
    MOST,
    PRIORITY,
    Core,
    Decisions,
    Phase,
    Posting,
    Purses,
    State,
    apply_postings,
    balance,
)
from matches.engine.errors import Overdrawn

S = TypeVar("S", bound=State[Any])

EVERYONE = "everyone"
HOSTS = "hosts"

BidStatus = Literal["standing", "won", "outbid", "returned", "lost", "cancelled", "dropped"]


def to_player(handle: str) -> str:
    """The audience of one player."""
    return f"player:{handle}"


class BidEvent(msgspec.Struct, frozen=True):
    """A bid that was placed (`standing`), or the result of one (any other status).

    A result belongs to the standing bid of the same lot, player and asset. If there is none (the bid was refused at
    the close), it becomes a row of its own. `public` says whether everyone may see it.
    """

    status: BidStatus
    lot: str
    player: str
    asset: str
    amount: int
    public: bool = True


class Announcement(msgspec.Struct, frozen=True):
    """Something to tell an `audience`: `everyone`, `hosts`, or `player:<handle>`."""

    audience: str
    kind: str
    data: dict[str, Any] = {}


class Step(msgspec.Struct, Generic[S], frozen=True):
    """The state after an event, and what happened.

    `public`: whether the public view has changed. `touched`: the players whose private view has changed.
    """

    state: S
    postings: tuple[Posting, ...] = ()
    bids: tuple[BidEvent, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    public: bool = False
    touched: frozenset[str] = frozenset()


class Turn:
    """Collects what one event at match time `now` does, starting from the core of a state."""

    def __init__(self, core: Core, now: timedelta) -> None:
        self.now = now
        self.phase: Phase = core.phase
        self.winners = core.winners
        self.candidates = core.candidates
        self.decisions: Decisions | None = core.decisions
        self._before = core
        self._purses: Purses = core.purses
        self._postings: list[Posting] = []
        self._bids: list[BidEvent] = []
        self._announcements: list[Announcement] = []
        self._touched: set[str] = set()
        self._public = False

    # -- reading ---------------------------------------------------------------------------------

    @property
    def handles(self) -> tuple[str, ...]:
        """All players in list order."""
        return self._before.handles

    @property
    def purses(self) -> Purses:
        """Balances as they are now, with this turn's postings."""
        return self._purses

    def balance(self, player: str, asset: str) -> int:
        """What a player holds now."""
        return balance(self._purses, player, asset)

    def can_pay(self, player: str, asset: str, amount: int) -> bool:
        """Whether a payment would go through; garnets may go below zero where credit is given."""
        least = -MOST if asset == GARNET and self._before.garnet_credit else 0
        return self.balance(player, asset) - amount >= least

    # -- what happens ----------------------------------------------------------------------------

    def move(self, giver: str | None, receiver: str | None, asset: str, amount: int, reason: str) -> None:
        """Transfer `amount` (whole, >= 0; 0 does nothing) between players or the bank (None)."""
        if amount < 0:
            raise ValueError("money only moves forward; swap giver and receiver")
        if amount == 0:
            return
        if giver == receiver or not {giver, receiver} <= {None, *self.handles}:
            raise ValueError("money moves between two of the match's players, or one of them and the bank")
        if giver is not None and not self.can_pay(giver, asset, amount):
            raise Overdrawn(f"{giver} cannot pay {amount} {asset} for {reason}")
        if receiver is not None and self.balance(receiver, asset) + amount > MOST:
            raise Overdrawn(f"{receiver} would have more than {MOST} {asset}")
        posting = Posting(giver, receiver, asset, amount, reason)
        self._postings.append(posting)
        self._purses = apply_postings(self._purses, (posting,))
        self.touch(*(party for party in (giver, receiver) if party is not None))
        # Everybody's priority is public.
        self._public = self._public or asset == PRIORITY

    def pay(self, player: str, asset: str, amount: int, reason: str) -> None:
        """Transfer `amount` from a player to the bank."""
        self.move(player, None, asset, amount, reason)

    def earn(self, player: str, asset: str, amount: int, reason: str) -> None:
        """Transfer `amount` from the bank to a player."""
        self.move(None, player, asset, amount, reason)

    def bid(
        self,
        status: BidStatus,
        lot: str,
        player: str,
        asset: str,
        amount: int,
        *,
        public: bool = True,
    ) -> None:
        """Record that a bid was placed, or what became of it."""
        self._bids.append(BidEvent(status, lot, player, asset, amount, public))
        self._public = self._public or public
        self.touch(player)

    def announce(self, kind: str, /, **data: Any) -> None:
        """Tell everyone."""
        self._announcements.append(Announcement(EVERYONE, kind, data))
        self._public = True

    def tell(self, player: str, kind: str, /, **data: Any) -> None:
        """Tell one player."""
        self._announcements.append(Announcement(to_player(player), kind, data))
        self.touch(player)

    def tell_hosts(self, kind: str, /, **data: Any) -> None:
        """Tell the match's hosts."""
        self._announcements.append(Announcement(HOSTS, kind, data))

    def touch(self, *players: str) -> None:
        """Note that these players' private views have changed."""
        self._touched.update(players)

    def touch_all(self) -> None:
        """Note that every view has changed, as when a phase begins."""
        self._public = True
        self._touched.update(self.handles)

    # -- closing ---------------------------------------------------------------------------------

    def core(self) -> Core:
        """The core as it is after this turn."""
        return msgspec.structs.replace(
            self._before,
            purses=self._purses,
            phase=self.phase,
            time=self.now,
            winners=self.winners,
            candidates=self.candidates,
            decisions=self.decisions,
        )

    def step(self, state: S) -> Step[S]:
        """The finished step: `state` (whose own fields the game has already updated) with the new core."""
        return Step(
            msgspec.structs.replace(state, core=self.core()),
            tuple(self._postings),
            tuple(self._bids),
            tuple(self._announcements),
            self._public,
            frozenset(self._touched),
        )
