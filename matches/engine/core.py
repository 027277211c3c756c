"""The part of a match's state that is the same in every match type: balances, phases, decisions, sealed submissions."""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, Generic, Literal, TypeVar

import msgspec

from matches.engine.settings import Roster, Settings

# -- ledger ----------------------------------------------------------------------------------------
# A posting moves a positive whole amount from a giver to a receiver; `None` is the bank. Postings are never edited or
# deleted: corrections are postings too.

GARNET = "garnet"
PRIORITY = "priority"
TOL = "tol"
BLOOD_GARNET = "blood_garnet"

MOST = 10**12
"""No balance may be further from zero than this, not even on credit: only a mistake could take it there."""

MOST_CORRECTED = 10**9
"""No correction may take a balance further from zero than this, which leaves room to pay and earn in play."""

Purses = dict[str, dict[str, int]]
"""Handle -> asset -> balance. Zero balances are left out."""


class Posting(msgspec.Struct, frozen=True):
    """One transfer of `amount` (> 0, whole) of `asset`; `reason` is a stable word."""

    giver: str | None
    receiver: str | None
    asset: str
    amount: int
    reason: str


def balance(purses: Purses, player: str, asset: str) -> int:
    """What a player holds of an asset."""
    return purses.get(player, {}).get(asset, 0)


def balances(purses: Purses, player: str, **assets: str) -> dict[str, Any]:
    """A player's balances under the names of a view's fields: `balances(purses, "ann", garnets=GARNET)`."""
    return {name: balance(purses, player, asset) for name, asset in assets.items()}


def apply_postings(purses: Mapping[str, Mapping[str, int]], postings: Iterable[Posting]) -> Purses:
    """The purses after the postings. Nothing is checked here: `Turn` has done so, and the database refuses debts."""
    after = {player: dict(purse) for player, purse in purses.items()}
    for posting in postings:
        for player, amount in (
            (posting.giver, -posting.amount),
            (posting.receiver, posting.amount),
        ):
            if player is not None:
                purse = after.setdefault(player, {})
                purse[posting.asset] = purse.get(posting.asset, 0) + amount
                if not purse[posting.asset]:
                    del purse[posting.asset]
    return after


# -- sealed ----------------------------------------------------------------------------------------
# A box is a plain dict from handle to `Sealed`, ordered by when each submission was made or last replaced. The order
# matters: ties go to the earlier bid, and several bids may share one match time.

T = TypeVar("T")


class Sealed(msgspec.Struct, Generic[T], frozen=True):
    """One sealed submission: its content, and the match time of the version that counts."""

    value: T
    at: timedelta


def put_sealed(box: dict[str, Sealed[T]], owner: str, value: T, now: timedelta) -> dict[str, Sealed[T]]:
    """The box with `owner`'s submission made or replaced."""
    return take_sealed(box, owner) | {owner: Sealed(value, now)}


def take_sealed(box: dict[str, Sealed[T]], owner: str) -> dict[str, Sealed[T]]:
    """The box without `owner`'s submission."""
    return {handle: sealed for handle, sealed in box.items() if handle != owner}


# -- core ------------------------------------------------------------------------------------------

C = TypeVar("C", bound=Settings)

Phase = Literal["pregame", "running", "decision", "finished"]

PREGAME: Phase = "pregame"
RUNNING: Phase = "running"
DECISION: Phase = "decision"
FINISHED: Phase = "finished"
PHASES: tuple[Phase, ...] = (PREGAME, RUNNING, DECISION, FINISHED)
"""All phases in order. A match may skip some."""

_ZERO = timedelta()

replace = msgspec.structs.replace


class Poll(msgspec.Struct, frozen=True):
    """A poll on who becomes Elimination Candidate.

    `kind` is how it is answered: `name` by one decider, openly, or `vote` by each decider,
    privately. `answers` maps each decider who has decided to their choice; `drawn` lists those whose answer was drawn.
    """

    key: str
    kind: Literal["name", "vote"]
    deciders: tuple[str, ...]
    options: tuple[str, ...]
    answers: dict[str, str] = {}
    drawn: tuple[str, ...] = ()
    result: str | None = None
    how: Literal["", "only_one", "named", "voted", "drawn"] = ""


class Gift(msgspec.Struct, frozen=True):
    """`count` Tokens of Life that `giver` must give away, each to a different player.

    `eligible` lists who may get one; None means every player who then holds no token and is not the Elimination
    Candidate (EC).
    """

    giver: str
    count: int
    eligible: tuple[str, ...] | None = None
    to: tuple[str, ...] | None = None
    drawn: bool = False


class Decisions(msgspec.Struct, frozen=True):
    """The decisions to be made after the play, and until when (match time).

    With `secret_gifts`, gifts share the polls' window, stay secret, and move in the ledger only when
    everything is decided. Otherwise they get a window of their own, which opens once the EC is known.
    """

    closes: timedelta
    window: timedelta
    polls: tuple[Poll, ...] = ()
    gifts: tuple[Gift, ...] = ()
    gifts_open: bool = False
    secret_gifts: bool = False


class Core(msgspec.Struct, frozen=True):
    """The part of a state that the engine keeps. `time` is the match time of the last event."""

    roster: Roster
    purses: Purses = {}
    phase: Phase = PREGAME
    time: timedelta = _ZERO
    garnet_credit: bool = False
    winners: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    decisions: Decisions | None = None

    @property
    def handles(self) -> tuple[str, ...]:
        """All players in list order."""
        return tuple(entrant.handle for entrant in self.roster)


class State(msgspec.Struct, Generic[C], frozen=True):
    """Base of every game's state: everything needed to go on, as plain JSON-able values.

    `config` holds the settings that the match plays by, of the game's own type.
    """

    core: Core
    config: C


def with_least(players: Iterable[str], key: Callable[[str], Any]) -> tuple[str, ...]:
    """The players for whom `key` is least, in the given order."""
    keys = {player: key(player) for player in players}
    least = min(keys.values(), default=None)
    return tuple(player for player, found in keys.items() if found == least)


def with_most(players: Iterable[str], key: Callable[[str], Any]) -> tuple[str, ...]:
    """The players for whom `key` is greatest, in the given order."""
    keys = {player: key(player) for player in players}
    most = max(keys.values(), default=None)
    return tuple(player for player, found in keys.items() if found == most)


def without_immune(purses: Purses, players: tuple[str, ...]) -> tuple[str, ...]:
    """The players who may become EC: those without a Token of Life, or all of them if everybody has one."""
    return tuple(p for p in players if not balance(purses, p, TOL)) or players
