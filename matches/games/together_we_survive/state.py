"""The state of a match of Together We Survive."""

import msgspec

from matches.engine.core import RUNNING, Sealed, State
from matches.games.together_we_survive.config import A, B, Config

TOKEN = "token"  # noqa: S105  (an asset, not a password)

BOTH, NEITHER = "both", "none"

Votes = dict[str, int]
"""One player's votes of one kind in a round: handle -> votes, all positive, in list order."""


class ClosedRound(msgspec.Struct, frozen=True):
    """A round that is over.

    `votes_a`: votes for each player on stage, with zeros; `kicked_out`: the players who had to leave. `votes_b`: votes
    for each player of group B, with zeros; `gained`: the tokens for them. `kinds`: what each player submitted.
    `automatic`: it closed without votes, because only one player was on stage. All these are public; `sealed_a` and
    `sealed_b` (who voted for whom) stay secret even after the match.
    """

    votes_a: Votes
    kicked_out: tuple[str, ...]
    votes_b: Votes
    gained: Votes
    kinds: dict[str, str]
    automatic: bool = False
    sealed_a: dict[str, Sealed[Votes]] = {}
    sealed_b: dict[str, Sealed[Votes]] = {}


class SurviveState(State[Config], frozen=True):
    """The state of a match of Together We Survive. The teams in the core's roster are the groups.

    `sealed_a`, `sealed_b`: the votes of each kind in the open round. `closed`: the rounds that are over.
    `final_tokens`: the tokens of group B's players at the end of the play, empty until then.
    """

    sealed_a: dict[str, Sealed[Votes]] = {}
    sealed_b: dict[str, Sealed[Votes]] = {}
    closed: tuple[ClosedRound, ...] = ()
    final_tokens: dict[str, int] = {}

    @property
    def round(self) -> int:
        """The open round or, after the play, the last one, counted from 1."""
        return len(self.closed) + (self.core.phase == RUNNING)

    def group(self, name: str) -> tuple[str, ...]:
        """The players of a group, in list order."""
        return tuple(entrant.handle for entrant in self.core.roster if entrant.team == name)

    @property
    def left(self) -> dict[str, int]:
        """Player who has left the stage -> the round in which they left."""
        return {player: number for number, each in enumerate(self.closed, 1) for player in each.kicked_out}

    @property
    def on_stage(self) -> tuple[str, ...]:
        """The players on stage, in list order."""
        gone = self.left
        return tuple(player for player in self.group(A) if player not in gone)

    def kind_of(self, player: str) -> str:
        """What a player has submitted in the open round: `A`, `B`, `both` or `none`."""
        return kind_of(player in self.sealed_a, player in self.sealed_b)


def kind_of(has_a: bool, has_b: bool) -> str:
    """`A`, `B`, `both` or `none`, by which kinds of votes there are."""
    if has_a and has_b:
        return BOTH
    return A if has_a else B if has_b else NEITHER
