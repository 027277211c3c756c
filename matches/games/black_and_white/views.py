"""The views of Black and White. Public: colours, lamps, who won, and every number once the match is finished. Private:
the player's own numbers and points. Also the forecast of a number.
"""

from datetime import timedelta

import msgspec

from matches.engine.actions import Action
from matches.engine.core import FINISHED, GARNET, PRIORITY, RUNNING, balances
from matches.engine.match_time import seconds
from matches.engine.sentences import counted
from matches.engine.views import (
    Due,
    MatchTime,
    PrivateView,
    PublicView,
    Score,
    WhoLeads,
    private_fields,
    public_fields,
    settings_shown,
    tokens_of_life,
)
from matches.games.black_and_white.play import DuelState, Place, Round

# -- what everybody may know ---------------------------------------------------------------------------

FAN, MOST_DRAWN, MOST_BESIDE = 130, 14, 9
"""The width of a fan of lamps in degrees, the most lamps in it, and the most rounds beside each other on the board."""


class StoneView(msgspec.Struct, frozen=True):
    """A placed number. `lamps`: those that its player had left afterwards. `points`: the number itself, None until the
    match is finished."""

    player: str
    colour: str
    late: bool
    lamps: int
    points: int | None


class RoundView(msgspec.Struct, frozen=True):
    """A round. `stones`: the placed numbers, the leader's first. `winner`: None if it is not over or nobody won it."""

    round: int
    leader: str
    stones: tuple[StoneView, ...]
    over: bool
    winner: str | None

    @property
    def by_player(self) -> dict[str, StoneView]:
        """Player -> stone, for players who have placed one."""
        return {stone.player: stone for stone in self.stones}


class SeatView(msgspec.Struct, frozen=True):
    """A player. `wins`: the rounds won. `left`: the points left, None until the match is finished."""

    handle: str
    lamps: int
    wins: int
    left: int | None


class CurveView(msgspec.Struct, frozen=True):
    """The points that a player had at the start and after each round."""

    handle: str
    left: tuple[int, ...]


class ResultView(msgspec.Struct, frozen=True):
    """The result. `decided_by`: `rounds` or `points`, empty if nobody has won."""

    winner: str | None
    decided_by: str
    curves: tuple[CurveView, ...]


class DuelPublic(PublicView, frozen=True, kw_only=True):
    """What everybody may know.

    `rounds`: the finished rounds and the one that is being played or comes next, in order. `seats`: both players, in
    list order. `turn` and `turn_ends`: whose turn it is, and until when; None if it is nobody's. `starts_at`: the end
    of the pregame. `most_lamps`: with how many lamps everybody begins. The other fields are settings of the match.
    """

    rounds: tuple[RoundView, ...]
    seats: tuple[SeatView, ...]
    turn: str | None
    turn_ends: MatchTime | None
    starts_at: MatchTime
    points: int
    most_rounds: int
    wins: int
    lamp: int
    most_lamps: int
    white_from: int
    move_time: MatchTime
    tokens: int
    tokens_of_life: dict[str, int]
    result: ResultView | None

    @property
    def round(self) -> int:
        """The number of the current or last round."""
        return len(self.rounds)

    @property
    def led(self) -> StoneView | None:
        """The leader's stone, if the round waits for the other player's."""
        now = self.rounds[-1] if self.rounds else None
        return now.stones[0] if now and len(now.stones) == 1 and not now.over else None

    @property
    def to_come(self) -> tuple[int, ...]:
        """The numbers of the rounds that have not begun."""
        return () if self.result else tuple(range(self.round + 1, self.most_rounds + 1))

    @property
    def fan(self) -> tuple[float, ...]:
        """The angle of each lamp from the middle of a fan, in degrees; empty if there are too many lamps to draw."""
        count = max(self.most_lamps, *(seat.lamps for seat in self.seats))
        step = FAN / max(4, count - 1)
        return tuple(round((n - (count - 1) / 2) * step, 1) for n in range(count)) if count <= MOST_DRAWN else ()

    @property
    def columns(self) -> int:
        """How many rounds lie beside each other on the board."""
        places = self.round if self.result else self.most_rounds
        return -(-places // -(-places // MOST_BESIDE))

    @property
    def score(self) -> str:
        """The numbers of rounds won, the higher first: `4 to 2`."""
        return " to ".join(str(wins) for wins in sorted((seat.wins for seat in self.seats), reverse=True))

    @property
    def this_round(self) -> RoundView:
        """The current or last round."""
        return self.rounds[-1]

    def seat(self, handle: str) -> SeatView:
        """A player's seat."""
        return next(seat for seat in self.seats if seat.handle == handle)

    def other(self, handle: str) -> SeatView:
        """The seat of the other player."""
        return next(seat for seat in self.seats if seat.handle != handle)

    @property
    def who_leads(self) -> WhoLeads:
        """Who has won more rounds. Points are secret, so they do not count here."""
        most = max(seat.wins for seat in self.seats)
        lines = {
            seat.handle: f"{counted(seat.wins, 'round')} won, {counted(seat.lamps, 'lamp')}" for seat in self.seats
        }
        leaders = tuple(seat.handle for seat in self.seats if seat.wins == most)
        if len(leaders) > 1:
            return WhoLeads((), f"Both have won {counted(most, 'round')}" if most else "Nobody has won a round", lines)
        return WhoLeads(leaders, "rounds won", lines)


def public_view(state: DuelState, next_deadline: timedelta | None) -> DuelPublic:
    """The board as everyone may see it."""
    core, config = state.core, state.config
    over = core.phase == FINISHED
    return DuelPublic(
        **public_fields(core, next_deadline),
        **settings_shown(config, "points", "wins", "lamp", "white_from", "move_time", "tokens"),
        rounds=tuple(_round(state, number, each, over) for number, each in enumerate(state.rounds, 1)),
        seats=tuple(
            SeatView(
                handle,
                config.lamps(state.points_of(handle)),
                state.wins_of(handle),
                state.points_of(handle) if over else None,
            )
            for handle in core.handles
        ),
        turn=state.on_turn,
        turn_ends=seconds(state.turn_ends) if core.phase == RUNNING else None,
        starts_at=seconds(config.pregame),
        most_rounds=config.rounds,
        most_lamps=config.lamps(config.points),
        tokens_of_life=tokens_of_life(core),
        result=_result(state) if over else None,
    )


def _round(state: DuelState, number: int, each: Round, over: bool) -> RoundView:
    colour, lamps = state.config.colour, state.config.lamps
    stones = tuple(
        StoneView(player, colour(points), player in each.late, lamps(each.left[player]), points if over else None)
        for player, points in each.placed.items()
    )
    return RoundView(number, each.leader, stones, number <= len(state.played), each.winner)


def _result(state: DuelState) -> ResultView:
    winner = state.core.winners[0] if state.core.winners else None
    curves = tuple(
        CurveView(handle, (state.config.points, *(each.left[handle] for each in state.played)))
        for handle in state.core.handles
    )
    return ResultView(winner, state.decided_by, curves)


def score(state: DuelState) -> Score:
    """The scores (rounds won), and every number."""
    handles = state.core.handles
    rounds = [
        {
            "leader": each.leader,
            "placed": {handle: each.placed[handle] for handle in handles},
            "winner": each.winner,
            "late": list(each.late),
        }
        for each in state.played
    ]
    details = {"rounds": rounds, "left": {handle: state.points_of(handle) for handle in handles}}
    return Score({handle: state.wins_of(handle) for handle in handles}, details)


# -- what a player alone knows -------------------------------------------------------------------------


class OwnNumber(msgspec.Struct, frozen=True):
    """A number that the player has placed. `left`: the points left after it."""

    round: int
    points: int
    colour: str
    late: bool
    left: int


class DuelPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's own points and numbers. `placed`: their numbers so far, in order. `may_place`: whether it is this
    player's turn."""

    points: int
    lamps: int
    garnets: int
    priority: int
    placed: tuple[OwnNumber, ...]
    may_place: bool

    @property
    def spent(self) -> int:
        """The points spent so far."""
        return sum(each.points for each in self.placed)


def private_view(state: DuelState, player: str, now: timedelta | None = None) -> DuelPrivate:
    """What this player may know beyond the public view."""
    may_place = state.on_turn == player
    asked = (Due("place", "Place your number.", seconds(state.turn_ends)),) if may_place else ()
    idle = "If you do nothing, 0 is placed for you when the time is up." if may_place else ""
    points = state.points_of(player)
    return DuelPrivate(
        **private_fields(state.core, player, asked, idle, now),
        **balances(state.core.purses, player, garnets=GARNET, priority=PRIORITY),
        points=points,
        lamps=state.config.lamps(points),
        placed=_placed(state, player),
        may_place=may_place,
    )


def _placed(state: DuelState, player: str) -> tuple[OwnNumber, ...]:
    colour = state.config.colour
    return tuple(
        OwnNumber(number, each.placed[player], colour(each.placed[player]), player in each.late, each.left[player])
        for number, each in enumerate(state.rounds, 1)
        if player in each.placed
    )


class PlaceForecast(msgspec.Struct, frozen=True):
    """The colour that a number would show, and the points and lamps that it would leave."""

    points: int
    colour: str
    left: int
    lamps: int
    lamps_before: int


def forecast(public: DuelPublic, private: DuelPrivate, action: Action) -> PlaceForecast | None:
    """What everybody would see of a number, and what the player would have left; None for other actions."""
    if not isinstance(action, Place):
        return None
    left = private.points - action.points
    colour = "white" if action.points >= public.white_from else "black"
    return PlaceForecast(action.points, colour, left, left // public.lamp + 1, private.lamps)
