"""The part of a match's state that is the same in every match type."""

from __future__ import annotations

from datetime import timedelta
from typing import Generic, Literal, TypeVar

import msgspec

from matches.engine.ledger import TOL, Purses, balance
from matches.engine.roster import Roster
from matches.engine.settings import Settings

C = TypeVar("C", bound=Settings)

Phase = Literal["pregame", "running", "decision", "finished"]

PREGAME: Phase = "pregame"
RUNNING: Phase = "running"
DECISION: Phase = "decision"
FINISHED: Phase = "finished"
PHASES: tuple[Phase, ...] = (PREGAME, RUNNING, DECISION, FINISHED)
"""In the order in which a match goes through them; it may leave some out."""

_ZERO = timedelta()


class Poll(msgspec.Struct, frozen=True):
    """The question who becomes Elimination Candidate.

    `kind` is how it is answered: `name` by one decider, openly, or `vote` by each decider,
    privately. `answers` holds what was decided so far, `drawn` whose answer was drawn.
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

    `eligible` lists who may get one; None means every player who then holds no token and is not the EC.
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


def without_immune(purses: Purses, players: tuple[str, ...]) -> tuple[str, ...]:
    """The players who may become EC: those without a Token of Life, or all of them if everybody has one."""
    return tuple(p for p in players if not balance(purses, p, TOL)) or players
