"""What a player alone knows: their own numbers and points. And what a number would do, made of that."""

from datetime import timedelta

import msgspec

from matches.engine.actions import Action
from matches.engine.core import GARNET, PRIORITY, balances
from matches.engine.match_time import seconds
from matches.engine.views import Ask, PrivateView, private_fields
from matches.games.black_and_white.play import Place
from matches.games.black_and_white.public_view import DuelPublic
from matches.games.black_and_white.state import DuelState


class OwnNumber(msgspec.Struct, frozen=True):
    """A number that the player has placed. `left`: the points that were left after it."""

    round: int
    points: int
    colour: str
    late: bool
    left: int


class DuelPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's own points and numbers. `placed`: the numbers so far, the first one first. `may_place`: whether it
    is this player's turn."""

    points: int
    lamps: int
    garnets: int
    priority: int
    placed: tuple[OwnNumber, ...]
    may_place: bool

    @property
    def spent(self) -> int:
        """What the numbers so far have cost."""
        return sum(each.points for each in self.placed)


def private_view(state: DuelState, player: str, now: timedelta | None = None) -> DuelPrivate:
    """What this player may know beyond the public view."""
    may_place = state.on_turn == player
    asked = (Ask("place", "Place your number.", seconds(state.turn_ends)),) if may_place else ()
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
    """What a number would show, and leave."""

    points: int
    colour: str
    left: int
    lamps: int
    lamps_before: int


def forecast(public: DuelPublic, private: DuelPrivate, action: Action) -> PlaceForecast | None:
    """What would be seen of a number, and what the player would keep."""
    if not isinstance(action, Place):
        return None
    left = private.points - action.points
    colour = "white" if action.points >= public.white_from else "black"
    return PlaceForecast(action.points, colour, left, left // public.lamp + 1, private.lamps)
