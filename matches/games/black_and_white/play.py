"""The state of a match, and the rules: how numbers are placed, who wins a round, and when the match ends."""

from datetime import timedelta

import msgspec

from matches.engine import decisions
from matches.engine.actions import Action, Moves, action_types
from matches.engine.core import PREGAME, RUNNING, TOL, Phase, State, balance, replace, with_most
from matches.engine.errors import NOT_POSITIVE, Rejected
from matches.engine.match_time import HOUR, NO_TIME
from matches.engine.sentences import counted
from matches.engine.step import Turn
from matches.games.black_and_white.config import Config

# -- state ---------------------------------------------------------------------------------------------

POINT = "point"


class Round(msgspec.Struct, frozen=True):
    """A round. `placed`: player -> number, in the order of placing; secret until the match is finished. `left`: player
    -> points left after that. `late`: who did not place in time. `winner`: None during the round, or if nobody won
    it."""

    leader: str
    placed: dict[str, int] = {}
    left: dict[str, int] = {}
    late: tuple[str, ...] = ()
    winner: str | None = None


class DuelState(State[Config], frozen=True):
    """The state of a match of Black and White.

    `played`: the finished rounds. `current`: the round that is being played or comes next; None once the play is over.
    `since`: the match time at which the current turn began. `decided_by`: `rounds` or `points`, empty without a winner.
    """

    current: Round | None = None
    played: tuple[Round, ...] = ()
    since: timedelta = NO_TIME
    decided_by: str = ""

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The finished rounds, and the one that is being played or comes next."""
        return self.played if self.current is None else (*self.played, self.current)

    @property
    def on_turn(self) -> str | None:
        """The player whose turn it is to place a number; None if it is nobody's."""
        return None if self.current is None or self.core.phase != RUNNING else self.next_to_place

    @property
    def this_round(self) -> Round:
        """The current round. Raises `RuntimeError` once the play is over."""
        if self.current is None:
            raise RuntimeError("the play is over")
        return self.current

    @property
    def next_to_place(self) -> str:
        """The player who places the next number in the current round."""
        leader = self.this_round.leader
        return self.other(leader) if leader in self.this_round.placed else leader

    @property
    def turn_ends(self) -> timedelta:
        """The match time at which the turn is over and 0 is placed."""
        return self.since + self.config.move_time

    def other(self, player: str) -> str:
        """The other player."""
        first, second = self.core.handles
        return second if player == first else first

    def points_of(self, player: str) -> int:
        """The points that a player has left."""
        return balance(self.core.purses, player, POINT)

    def wins_of(self, player: str) -> int:
        """How many rounds a player has won."""
        return sum(each.winner == player for each in self.played)


# -- rules ---------------------------------------------------------------------------------------------

NOT_YOUR_TURN = "not_your_turn"
NOT_ENOUGH_POINTS = "not_enough_points"

REFUSALS = {
    NOT_YOUR_TURN: "It is the other player's turn to place a number.",
    NOT_ENOUGH_POINTS: "You do not have that many points left.",
}

POSSIBLE: dict[Phase, str] = {
    PREGAME: "Round 1 has not begun: numbers can be placed once it has.",
    RUNNING: "A round is under way: you can place a number when it is your turn.",
}


class Place(Action, frozen=True, tag="place"):
    """Place a number in this round, for good."""

    points: int


ACTIONS = action_types(Place)


def place(turn: Turn, state: DuelState, player: str, action: Place) -> DuelState:
    """Place a number. Raises `Rejected`."""
    if action.points < 0:
        raise Rejected(NOT_POSITIVE, "Place a whole number, 0 or more.", field="points")
    if player != state.on_turn:
        message = "It is not your turn: place your number when the other player has placed one."
        raise Rejected(NOT_YOUR_TURN, message, field="points")
    if action.points > (left := turn.balance(player, POINT)):
        message = f"You have {counted(left, 'point')} left: place a number from 0 to {left}."
        raise Rejected(NOT_ENOUGH_POINTS, message, field="points")
    return _placed(turn, state, player, action.points)


MOVES: Moves = {Place: place}


def begin(turn: Turn, state: DuelState) -> DuelState:
    """End the pregame and begin round 1."""
    turn.phase = RUNNING
    turn.touch_all()
    return _next_turn(turn, state, new_round=True)


def pass_turn(turn: Turn, state: DuelState) -> DuelState:
    """Place 0 because the time of a turn is up, or because a host has taken the player's last points."""
    player = state.next_to_place
    return _placed(turn, state, player, 0, late=turn.balance(player, POINT) > 0)


def _placed(turn: Turn, state: DuelState, player: str, points: int, *, late: bool = False) -> DuelState:
    config, current = state.config, state.this_round
    turn.pay(player, POINT, points, "placed")
    turn.touch(player)
    left = turn.balance(player, POINT)
    turn.announce(
        "placed_late" if late else "placed",
        player=player,
        round=len(state.played) + 1,
        colour=config.colour(points),
        lamps=config.lamps(left),
    )
    current = replace(
        current,
        placed={**current.placed, player: points},
        left={**current.left, player: left},
        late=(*current.late, player) if late else current.late,
    )
    state = replace(state, current=current)
    if len(current.placed) < len(turn.handles):
        return _next_turn(turn, state)
    return _close(turn, state, current)


def _close(turn: Turn, state: DuelState, done: Round) -> DuelState:
    highest = with_most(done.placed, done.placed.__getitem__)
    winner = highest[0] if len(highest) == 1 else None
    number = len(state.played) + 1
    if winner is None:
        turn.announce("round_equal", round=number)
    else:
        turn.announce("round_won", player=winner, round=number)
    state = replace(state, played=(*state.played, replace(done, winner=winner)), current=None)
    if why := _over(turn, state, winner):
        turn.announce("play_over", how=why)
        return _concluded(turn, state)
    return _next_turn(turn, replace(state, current=Round(winner or done.leader)), new_round=True)


def _over(turn: Turn, state: DuelState, winner: str | None) -> str:
    """Why the play is over: `wins`, `last_round` or `no_points`; empty if it goes on."""
    if winner is not None and state.wins_of(winner) == state.config.wins:
        return "wins"
    if len(state.played) == state.config.rounds:
        return "last_round"
    return "" if any(turn.balance(player, POINT) for player in turn.handles) else "no_points"


def _next_turn(turn: Turn, state: DuelState, *, new_round: bool = False) -> DuelState:
    """Begin the next turn. For a player without points 0 is placed at once."""
    player = state.next_to_place
    if new_round:
        turn.announce("round_opened", player=player, round=len(state.played) + 1, rounds=state.config.rounds)
    if not turn.balance(player, POINT):
        return _placed(turn, state, player, 0)
    turn.touch(player)
    if state.config.move_time >= HOUR:  # in faster matches players are watching anyway
        turn.tell(player, "your_turn", round=len(state.played) + 1)
    return replace(state, since=turn.now)


def _concluded(turn: Turn, state: DuelState) -> DuelState:
    """End the match: the winner is who has won more rounds, or else has more points left. No decisions follow."""
    best, by = with_most(turn.handles, state.wins_of), "rounds"
    if len(best) > 1:
        best, by = with_most(turn.handles, lambda player: turn.balance(player, POINT)), "points"
    if len(best) > 1:
        by = ""
        turn.announce("nobody_won")
    else:
        turn.winners, turn.candidates = best, (state.other(best[0]),)
        turn.earn(best[0], TOL, state.config.tokens, "match_won")
        wins = {player: state.wins_of(player) for player in turn.handles}
        turn.announce("match_won", player=best[0], how=by, wins=wins, tokens=state.config.tokens)
    decisions.end(turn)
    return replace(state, decided_by=by)
