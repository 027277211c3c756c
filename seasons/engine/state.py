"""The state of a season: everything needed to go on, as plain JSON-able values."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from matches.engine.ledger import BLOOD_GARNET, GARNET, PRIORITY, Purses, balance
from seasons.engine.settings import SeasonSettings

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
"""Blood garnets are counted in whole ten-thousandths."""

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
    """One member by now. `place`: that of somebody who is out, or 1 for those who are in when the season has ended."""

    handle: str
    team: str | None = None
    status: Status = IN
    place: int | None = None


class Brought(msgspec.Struct, frozen=True):
    """What a player brought into a match."""

    garnet: int = 0
    priority: int = 0


class MatchResult(msgspec.Struct, frozen=True):
    """How a match of the season ended: each player's final garnets and priority, and its published outcome."""

    final: dict[str, Brought]
    winners: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    """Who holds a Token of Life."""
    candidates: tuple[str, ...] = ()
    cancelled: bool = False


class SeasonMatch(msgspec.Struct, frozen=True):
    """A match that has opened and is not settled. `result`: it is over, and a host has not confirmed it yet."""

    key: str
    brought: dict[str, Brought]
    is_death_match: bool = False
    result: MatchResult | None = None


class After(msgspec.Struct, frozen=True):
    """What is to be done after a match that has candidates."""

    match: str
    candidates: tuple[str, ...]
    immune: tuple[str, ...] = ()
    """Who holds a Token of Life of that match: none of them can become the opponent."""
    between: tuple[str, ...] = ()
    """The two who meet in the Death Match, once they are known."""
    closes: timedelta | None = None
    """Until when the opponent can be named."""


class Growth(msgspec.Struct, frozen=True):
    """The match from whose pregame blood garnets grow; `next` is None until that pregame has ended."""

    match: str
    next: timedelta | None = None


class Exit(msgspec.Struct, frozen=True):
    """The last moment at which somebody went out, and the place that all who go out then share."""

    at: timedelta
    place: int


class SeasonState(msgspec.Struct, frozen=True, kw_only=True):
    """A whole season. Times are season time: since its beginning, by the wall's clock."""

    settings: SeasonSettings
    members: tuple[Member, ...]
    purses: Purses = {}
    published: Purses = {}
    """The balances that everybody may know: those of the last settlement."""
    phase: Phase = RUNNING
    time: timedelta = timedelta()
    matches: tuple[SeasonMatch, ...] = ()
    after: After | None = None
    waiting: tuple[After, ...] = ()
    """What is to be done after matches that ended before all was done after the one before."""
    growth: Growth | None = None
    last_exit: Exit | None = None
    before: SeasonState | msgspec.UnsetType = msgspec.UNSET
    """How it stood before the last event, if that was one that hosts can take back."""

    def member(self, handle: object) -> Member | None:
        """The member with this handle."""
        return next((each for each in self.members if each.handle == handle), None)

    def handles_in(self) -> tuple[str, ...]:
        """Who is still in, in the order of the cast."""
        return tuple(each.handle for each in self.members if each.status == IN)

    def playing(self) -> dict[str, str]:
        """Who is in a match that is not settled: handle -> key of the match."""
        return {handle: match.key for match in self.matches for handle in match.brought}

    def under_way(self) -> After:
        """What is being done after a match. Raises `RuntimeError` where nothing is."""
        if self.after is None:
            raise RuntimeError("no match of this season has candidates now")
        return self.after

    def match(self, key: str) -> SeasonMatch | None:
        """A match that is not settled."""
        return next((each for each in self.matches if each.key == key), None)

    def is_settling(self) -> bool:
        """Whether a match is over, and what follows from it is not done yet."""
        return self.phase in (OPPONENT, DEATH_MATCH) or any(each.result is not None for each in self.matches)


def account(purses: Purses, handle: str) -> dict[str, int | str]:
    """A member's balances as they are printed: blood garnets with four decimals."""
    blood = Decimal(balance(purses, handle, BLOOD_GARNET)) / BLOOD_UNITS
    return {
        GARNET: balance(purses, handle, GARNET),
        PRIORITY: balance(purses, handle, PRIORITY),
        BLOOD_GARNET: f"{blood:.4f}",
    }
