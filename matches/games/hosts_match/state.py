"""What players and hosts submit, and the state of a match: everything that is needed to continue it."""

from datetime import timedelta
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from matches.engine.actions import Action, GiveTokens, HostAction, Vote, action_types
from matches.engine.core import DECISION, Sealed, State
from matches.games.hosts_match.config import Config, Question, Round

# -- players -------------------------------------------------------------------------------------------

Value = int | str | tuple[str, ...] | dict[str, int]
"""An answer as it is sent: a number, a text or a name, several names, or amounts by name."""


class Answer(Action, frozen=True, tag="answer"):
    """Answers to the open round's questions by key, sealed; they replace the player's earlier ones."""

    answers: dict[str, Value]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Takes the sealed answers back."""


ACTIONS = action_types(Answer, Withdraw, Vote, GiveTokens)

# -- hosts ---------------------------------------------------------------------------------------------

Reveal = Literal["named", "counted", "hidden"]
NAMED, COUNTED, HIDDEN = "named", "counted", "hidden"
WINNERS_VOTE = "winners_vote"


class Booking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host gives to a player, or takes if it is below 0."""

    player: str
    asset: str
    amount: int


class PostResult(HostAction, frozen=True, tag="post_result"):
    """The result of the round that has closed. `reveal`: by question; what is not named stays hidden. `round`: which
    one is meant, so that two hosts cannot post two results one after the other unseen."""

    text: str = ""
    reveal: dict[str, Reveal] = {}
    book: tuple[Booking, ...] = ()
    out: tuple[str, ...] = ()
    round: int | UnsetType = UNSET


class ChangeRound(HostAction, frozen=True, tag="change_round"):
    """Changes a round that has not opened yet: what is left out stays as it is."""

    round: int
    title: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    length: str | float | UnsetType = UNSET
    questions: tuple[Question, ...] | UnsetType = UNSET


class AddRound(HostAction, frozen=True, tag="add_round"):
    """A further round after the last."""

    title: str = ""
    text: str = ""
    length: str | float = "24h"
    questions: tuple[Question, ...] = ()


class EndPlay(HostAction, frozen=True, tag="end_play"):
    """No round after the present one opens."""


class Decide(HostAction, frozen=True, tag="decide"):
    """Once the play has ended: who has won, who gets Tokens of Life, and who may become candidate."""

    phases = (DECISION,)

    winners: tuple[str, ...] = ()
    tokens: dict[str, int] = {}
    candidates: tuple[str, ...] | Literal["winners_vote"] = ()


HOST_ACTIONS = action_types(PostResult, ChangeRound, AddRound, EndPlay, Decide)

# -- state ---------------------------------------------------------------------------------------------

Answers = dict[str, Any]
"""Answers by question, in the order of the questions, as they are kept: what is left out is not there."""

Stage = Literal["waiting", "open", "judging", "over"]
WAITING: Stage = "waiting"
OPEN: Stage = "open"
JUDGING: Stage = "judging"
OVER: Stage = "over"


class Posted(msgspec.Struct, frozen=True):
    """What hosts made of a round: `book` and `out` as they were posted."""

    text: str
    reveal: dict[str, Reveal]
    book: tuple[Booking, ...]
    out: tuple[str, ...]


class Closed(msgspec.Struct, frozen=True):
    """A round that is over: who answered what, in list order, and its result once it is posted."""

    this: Round
    answers: dict[str, Answers]
    at: timedelta
    posted: Posted | None = None


class HostState(State[Config], frozen=True):
    """`round` counts from 1: the one that is open, judged, or opens next; `opens` is when it opens or opened. `out`:
    who can answer no more. `config` has the rounds as hosts have changed them."""

    round: int = 1
    opens: timedelta = timedelta()
    stage: Stage = OPEN
    sealed: dict[str, Sealed[Answers]] = {}
    past: tuple[Closed, ...] = ()
    out: tuple[str, ...] = ()

    @property
    def this(self) -> Round:
        """The round that it is about."""
        return self.config.rounds[self.round - 1]

    @property
    def closes(self) -> timedelta:
        """When it closes."""
        return self.opens + self.this.span

    @property
    def is_last(self) -> bool:
        """Whether no round follows it."""
        return self.round == len(self.config.rounds)
