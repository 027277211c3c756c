"""The settings and state of a season, and the result of one event (`Turn`, `Step`)."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec

from matches.engine.core import BLOOD_GARNET, GARNET, MOST, PRIORITY, Posting, Purses, apply_postings, balance
from matches.engine.errors import Overdrawn
from matches.engine.match_time import DAY
from matches.engine.settings import Choice, Flag, Settings, Span
from matches.engine.step import EVERYONE, HOSTS, Announcement, to_player

# -- the settings of a season --------------------------------------------------------------------------------

LOST, KEPT, TO_WINNER = "lost", "kept", "winner"
BY_CANDIDATE, BY_HOST, NOBODY = "candidate", "host", "none"
AUTOMATIC, CONFIRMED = "automatic", "confirmed"


class SeasonSettings(Settings, frozen=True, kw_only=True):
    """What hosts choose before a season begins."""

    loser_garnets: Annotated[
        str,
        Choice(
            "Garnets of a member who goes out",
            "Blood garnets go the same way.",
            choices=(LOST, KEPT, TO_WINNER),
            said=("the bank takes them", "the member keeps them", "the winner of the Death Match gets them"),
        ),
    ] = LOST
    opponent: Annotated[
        str,
        Choice(
            "Who names the opponent in the Death Match",
            "If you choose “nobody”, there is no Death Match, and the candidate goes out.",
            choices=(BY_CANDIDATE, BY_HOST, NOBODY),
            said=("the candidate", "a host", "nobody"),
        ),
    ] = BY_CANDIDATE
    decision_time: Annotated[timedelta, Span("Time to name the opponent", "After that the site draws one.")] = DAY
    gifts: Annotated[
        bool, Flag("Gifts", "Members who are still in the season, and not in a match, may give each other garnets.")
    ] = False
    settlement: Annotated[
        str,
        Choice(
            "Settlement of a match",
            "It pays back what players have left.",
            choices=(AUTOMATIC, CONFIRMED),
            said=("by itself when the match ends", "once a host confirms it"),
        ),
    ] = AUTOMATIC
    garnet_credit: Annotated[
        bool, Flag("Garnets on credit", "Garnets can go below zero, in all matches of the season.")
    ] = False


# -- the state of a season: everything needed to go on, as plain JSON-able values ----------------------------

Phase = Literal["running", "opponent", "death_match", "ended"]

RUNNING: Phase = "running"
OPPONENT: Phase = "opponent"
DEATH_MATCH: Phase = "death_match"
ENDED: Phase = "ended"

Status = Literal["in", "out", "withdrawn"]

IN: Status = "in"
OUT: Status = "out"
WITHDRAWN: Status = "withdrawn"

BLOOD_UNITS = 10_000
"""A blood garnet has so many units; amounts are whole units."""

LEAST_CAST = 2
ASSETS = (GARNET, PRIORITY, BLOOD_GARNET)


class CastEntry(msgspec.Struct, frozen=True):
    """One member as listed when the season begins: opening balances are whole and >= 0, blood garnets in units."""

    handle: str
    team: str | None = None
    garnets: int = 0
    priority: int = 0
    blood: int = 0


class Member(msgspec.Struct, frozen=True):
    """One member. `place`: of those who are out, and 1 for those who are in at the end of the season."""

    handle: str
    team: str | None = None
    status: Status = IN
    place: int | None = None


class Brought(msgspec.Struct, frozen=True):
    """The amounts that a player brought into a match."""

    garnet: int = 0
    priority: int = 0


class MatchResult(msgspec.Struct, frozen=True):
    """How a match of the season ended: each player's final garnets and priority, and its published outcome."""

    final: dict[str, Brought]
    winners: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    """Holders of a Token of Life."""
    candidates: tuple[str, ...] = ()
    cancelled: bool = False


class SeasonMatch(msgspec.Struct, frozen=True):
    """A match that has opened and is not settled. `result`: set once it is over, until a host confirms it."""

    key: str
    brought: dict[str, Brought]
    is_death_match: bool = False
    result: MatchResult | None = None
    is_final: bool = False


class After(msgspec.Struct, frozen=True):
    """What has to be done after a match with candidates."""

    match: str
    candidates: tuple[str, ...]
    immune: tuple[str, ...] = ()
    """Holders of a Token of Life of that match, who cannot become the opponent."""
    between: tuple[str, ...] = ()
    """The two who meet in the Death Match, once they are known."""
    closes: timedelta | None = None
    """Until when the opponent can be named."""


class Growth(msgspec.Struct, frozen=True):
    """The match from whose pregame blood garnets grow; `next` is None until that pregame has ended."""

    match: str
    next: timedelta | None = None


class Exit(msgspec.Struct, frozen=True):
    """The last moment at which somebody went out, and the place of all who go out at it."""

    at: timedelta
    place: int


class SeasonState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a season. Times are season time: real time since its beginning."""

    settings: SeasonSettings
    members: tuple[Member, ...]
    purses: Purses = {}
    published: Purses = {}
    """The public balances: those of the last settlement."""
    phase: Phase = RUNNING
    time: timedelta = timedelta()
    matches: tuple[SeasonMatch, ...] = ()
    after: After | None = None
    waiting: tuple[After, ...] = ()
    """What has to be done after further matches, once `after` is done."""
    growth: Growth | None = None
    last_exit: Exit | None = None
    before: SeasonState | msgspec.UnsetType = msgspec.UNSET
    """The state before the last event, if hosts can take that back."""

    def member(self, handle: object) -> Member | None:
        """The member with this handle."""
        return next((each for each in self.members if each.handle == handle), None)

    def handles_in(self) -> tuple[str, ...]:
        """Who is still in, in the order of the cast."""
        return tuple(each.handle for each in self.members if each.status == IN)

    def playing(self) -> dict[str, str]:
        """Handle -> key of the unsettled match that the member is in."""
        return {handle: match.key for match in self.matches for handle in match.brought}

    @property
    def duel(self) -> tuple[str, ...]:
        """The two who can play the Death Match now; of more than two candidates, hosts say who has lost."""
        between = self.after.between if self.phase == DEATH_MATCH and self.after else ()
        return between if len(between) == 2 else ()

    def under_way(self) -> After:
        """Return what is being done after a match. Raises `RuntimeError` if nothing is."""
        if self.after is None:
            raise RuntimeError("no match of this season has candidates now")
        return self.after

    def match(self, key: str) -> SeasonMatch | None:
        """Return an unsettled match by key, or None."""
        return next((each for each in self.matches if each.key == key), None)

    def is_settling(self) -> bool:
        """Whether something still has to follow from a match that is over."""
        return self.phase in (OPPONENT, DEATH_MATCH) or any(each.result is not None for each in self.matches)


def account(purses: Purses, handle: str) -> dict[str, int | str]:
    """Return a member's balances for printing: blood garnets with four decimals."""
    blood = Decimal(balance(purses, handle, BLOOD_GARNET)) / BLOOD_UNITS
    return {
        GARNET: balance(purses, handle, GARNET),
        PRIORITY: balance(purses, handle, PRIORITY),
        BLOOD_GARNET: f"{blood:.4f}",
    }


# -- the result of one event (`Step`), and the object on which the rules collect it (`Turn`) -----------------

MOST_BLOOD = 10**18
"""The limit of growth for a balance of blood garnets, in units."""


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
    """The state after an event, the transfers and the announcements."""

    state: SeasonState
    transfers: tuple[Transfer, ...] = ()
    announcements: tuple[Announcement, ...] = ()


class Turn:
    """Collects what one event at season time `now` does."""

    def __init__(self, state: SeasonState, now: timedelta) -> None:
        self.now = now
        self.since = state.time
        """The season time of the event before this one."""
        self.before = state.before
        """The state before that event, if it can be taken back."""
        self.state = msgspec.structs.replace(state, time=now, before=msgspec.UNSET)
        self._transfers: list[Transfer] = []
        self._announcements: list[Announcement] = []

    def change(self, **fields: Any) -> None:
        """Set fields of the state."""
        self.state = msgspec.structs.replace(self.state, **fields)

    def balance(self, handle: str, asset: str) -> int:
        """Return what a member has outside matches."""
        return balance(self.state.purses, handle, asset)

    def can_pay(self, handle: str, asset: str, amount: int) -> bool:
        """Whether a member can pay this much; garnets may go below zero if the season gives credit."""
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
        """Transfer `amount` (whole; a negative one goes the other way; 0 does nothing). Raises `Overdrawn`."""
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


# -- reading amounts: whole garnets and priority, blood garnets with up to four decimals ---------------------

_DECIMAL = re.compile(r"[+-]?\d{1,12}(?:\.\d{1,4})?", re.ASCII)


def whole(raw: object) -> int:
    """Return a whole amount. Raises `ValueError` that says what would be accepted."""
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise ValueError("expected a whole number")
    return raw


def blood_units(raw: object) -> int:
    """Return blood garnets in units from a number, or text such as "12.5". Raises `ValueError`."""
    text = str(raw) if isinstance(raw, int | float | str) and not isinstance(raw, bool) else ""
    if not _DECIMAL.fullmatch(text):
        raise ValueError('expected a number with at most four decimals, such as "12.5"')
    return int(Decimal(text) * BLOOD_UNITS)


def shown_blood(text: str) -> str:
    """Return blood garnets without trailing zeros: “12.5”."""
    return text.rstrip("0").rstrip(".") if "." in text else text
