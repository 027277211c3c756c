"""The state of a match: everything that is needed to continue it."""

from datetime import timedelta

import msgspec

from matches.engine.core import RUNNING, State, balance
from matches.engine.match_time import NO_TIME
from matches.games.black_and_white.config import Config

POINT = "point"


class Round(msgspec.Struct, frozen=True):
    """A round. `placed`: player -> number, in the order of placing; secret until the match is finished. `left`: the
    points that were left after that. `late`: who did not place in time. `winner`: None while it is played, and of one
    that nobody has won."""

    leader: str
    placed: dict[str, int] = {}
    left: dict[str, int] = {}
    late: tuple[str, ...] = ()
    winner: str | None = None


class DuelState(State[Config], frozen=True):
    """The state of a match of Black and White.

    `played`: the rounds that are finished. `current`: the one that is played or comes next; None once the play is over.
    `since`: the match time at which it became the turn of whoever is to place. `decided_by`: `rounds` or `points` where
    there is a winner.
    """

    current: Round | None = None
    played: tuple[Round, ...] = ()
    since: timedelta = NO_TIME
    decided_by: str = ""

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds that are over, and the one that is played or comes next."""
        return self.played if self.current is None else (*self.played, self.current)

    @property
    def on_turn(self) -> str | None:
        """Who is to place a number now; None where nobody is."""
        return None if self.current is None or self.core.phase != RUNNING else self.next_to_place

    @property
    def this_round(self) -> Round:
        """The round that is played."""
        if self.current is None:
            raise RuntimeError("the play is over")
        return self.current

    @property
    def next_to_place(self) -> str:
        """Who is the next to place a number in the round that is played."""
        leader = self.this_round.leader
        return self.other(leader) if leader in self.this_round.placed else leader

    @property
    def turn_ends(self) -> timedelta:
        """When 0 is placed for whoever is to place."""
        return self.since + self.config.move_time

    def other(self, player: str) -> str:
        """The other player."""
        first, second = self.core.handles
        return second if player == first else first

    def points_of(self, player: str) -> int:
        """What a player has left."""
        return balance(self.core.purses, player, POINT)

    def wins_of(self, player: str) -> int:
        """How many rounds a player has won."""
        return sum(each.winner == player for each in self.played)
