"""The actions of players and hosts in a host's match, and its state."""

from datetime import timedelta
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from matches.engine.actions import Action, GiveTokens, HostAction, Vote, action_types
from matches.engine.core import DECISION, Sealed, State
from matches.games.hosts_match.config import Config, Question, Round

# -- players -------------------------------------------------------------------------------------------

Value = int | str | tuple[str, ...] | dict[str, int]
"""An answer as a player sends it: a number, a text or a name, several names, or amounts by name."""


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
    """An amount that hosts give to a player, or take if it is below 0."""

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
"""Question's key -> answer as it is stored, in the order of the questions; without unanswered ones."""

Stage = Literal["waiting", "open", "judging", "over"]
WAITING: Stage = "waiting"
OPEN: Stage = "open"
JUDGING: Stage = "judging"
OVER: Stage = "over"


class Posted(msgspec.Struct, frozen=True):
    """The result of a round, as hosts posted it."""

    text: str
    reveal: dict[str, Reveal]
    book: tuple[Booking, ...]
    out: tuple[str, ...]


class Closed(msgspec.Struct, frozen=True):
    """A closed round: player -> answers, in list order; when it closed; and its result once it is posted."""

    this: Round
    answers: dict[str, Answers]
    at: timedelta
    posted: Posted | None = None


class HostState(State[Config], frozen=True):
    """The state of a host's match. `round`: the number, from 1, of the round that is open, being judged, or opens next;
    `opens`: when it opens or opened. `out`: who can no longer answer. `ended`: when the play did. `config` has the
    rounds as hosts changed them."""

    round: int = 1
    opens: timedelta = timedelta()
    stage: Stage = OPEN
    sealed: dict[str, Sealed[Answers]] = {}
    past: tuple[Closed, ...] = ()
    out: tuple[str, ...] = ()
    ended: timedelta = timedelta()

    @property
    def this(self) -> Round:
        """The round with the number `round`."""
        return self.config.rounds[self.round - 1]

    @property
    def closes(self) -> timedelta:
        """When this round closes."""
        return self.opens + self.this.span

    @property
    def is_last(self) -> bool:
        """Whether this round is the last."""
        return self.round == len(self.config.rounds)
