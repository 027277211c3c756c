"""The result of one event of a season (`Step`), and the object on which the rules collect it (`Turn`)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.errors import Overdrawn
from matches.engine.ledger import GARNET, MOST, Posting, apply_postings, balance
from matches.engine.step import EVERYONE, HOSTS, Announcement, to_player
from seasons.engine.state import SeasonState

MOST_BLOOD = 10**18
"""No balance of blood garnets, in units, grows beyond this."""


class Transfer(msgspec.Struct, frozen=True):
    """One entry of the season's ledger: `amount` (> 0) of an asset from a giver to a receiver.

    None is the bank or, where `match` names one, the match that the amount goes into or comes from.
    """

    giver: str | None
    receiver: str | None
    asset: str
    amount: int
    reason: str
    match: str = ""
    note: str = ""


class Step(msgspec.Struct, frozen=True):
    """The state after an event, what moved, and what is to be told."""

    state: SeasonState
    transfers: tuple[Transfer, ...] = ()
    announcements: tuple[Announcement, ...] = ()


class Turn:
    """Collects what one event at season time `now` does."""

    def __init__(self, state: SeasonState, now: timedelta) -> None:
        self.now = now
        self.since = state.time
        """When the event before this one was."""
        self.before = state.before
        """How the season stood before that event, if it can be taken back."""
        self.state = msgspec.structs.replace(state, time=now, before=msgspec.UNSET)
        self._transfers: list[Transfer] = []
        self._announcements: list[Announcement] = []

    def change(self, **fields: Any) -> None:
        """Set fields of the state."""
        self.state = msgspec.structs.replace(self.state, **fields)

    def balance(self, handle: str, asset: str) -> int:
        """What a member has outside of matches."""
        return balance(self.state.purses, handle, asset)

    def can_pay(self, handle: str, asset: str, amount: int) -> bool:
        """Whether a member has this much; garnets may go below zero where the season gives credit."""
        least = -MOST if asset == GARNET and self.state.settings.garnet_credit else 0
        return self.balance(handle, asset) - amount >= least

    def move(
        self,
        giver: str | None,
        receiver: str | None,
        asset: str,
        amount: int,
        reason: str,
        *,
        match: str = "",
        note: str = "",
    ) -> None:
        """Transfer `amount` (whole; below zero it goes the other way; 0 does nothing). Raises `Overdrawn`."""
        if amount < 0:
            giver, receiver, amount = receiver, giver, -amount
        if amount == 0:
            return
        if giver is not None and not self.can_pay(giver, asset, amount):
            raise Overdrawn(f"{giver} cannot pay {amount} {asset} for {reason}")
        posting = Posting(giver, receiver, asset, amount, reason)
        self.change(purses=apply_postings(self.state.purses, (posting,)))
        self._transfers.append(Transfer(giver, receiver, asset, amount, reason, match, note))

    def announce(self, kind: str, /, **data: Any) -> None:
        """Tell everyone."""
        self._announcements.append(Announcement(EVERYONE, kind, data))

    def tell(self, handle: str, kind: str, /, **data: Any) -> None:
        """Tell one member."""
        self._announcements.append(Announcement(to_player(handle), kind, data))

    def tell_hosts(self, kind: str, /, **data: Any) -> None:
        """Tell the hosts."""
        self._announcements.append(Announcement(HOSTS, kind, data))

    def step(self) -> Step:
        """The finished step."""
        return Step(self.state, tuple(self._transfers), tuple(self._announcements))
