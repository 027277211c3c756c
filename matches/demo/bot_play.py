"""Letting bots play a match in memory, on the rules alone, until it reaches a position worth showing.

Rules and bots are pure: with the same seed and the same moves at the same match times, the services reach the same
position. So the demo knows in advance when a match must begin.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from matches.engine.core import PHASES, Phase
from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.settings import Roster
from matches.engine.simulation import Event, bot_match
from matches.engine.step import to_player

SECOND = timedelta(seconds=1)


class Move(NamedTuple):
    """An action at a match time (whole seconds), of a player or, with an empty handle, of a stand-in host."""

    at: timedelta
    handle: str
    action: dict[str, Any]


class Goal(NamedTuple):
    """The position at which to stop: in a phase, not before the match time `after`; optionally one in which a player is
    asked something (`asked`) or has just been told something (`just_told`).

    In that phase the bot of the player `asked` does nothing.
    """

    phase: Phase
    after: timedelta = timedelta()
    asked: str = ""
    just_told: str = ""


class BotMatch(NamedTuple):
    """The moves that lead to the goal, and the match time at which it is reached."""

    moves: tuple[Move, ...]
    time: timedelta


def play_until(
    game: AnyGame, config: Mapping[str, Any], roster: Roster, seed: str, goal: Goal, *, longest: timedelta
) -> BotMatch | None:
    """Play until the goal is reached; None if the match ends (or lasts longer) without it."""

    def unless_asked(public: Any, private: Any, now: timedelta, draw: Draw) -> Any:
        return None if public.phase == goal.phase else game.bot_action(public, private, now, draw)

    choosers = {goal.asked: unless_asked} if goal.asked else {}
    moves, reached = list[Move](), longest
    for event in bot_match(game, game.read_config(config), roster, bytes.fromhex(seed), choosers=choosers):
        if reached < min(event.at, longest):
            break
        if event.action is not None:
            moves.append(Move(event.at, event.player, event.action))
        state = event.step.state
        if event.at > longest or PHASES.index(state.core.phase) > PHASES.index(goal.phase):  # phases never come back
            return None
        # A moment later, because pages never show the exact moment of a deadline.
        reached = max(event.at, goal.after) + SECOND if _is_there(game, event, state, goal) else longest
    return BotMatch(tuple(moves), reached) if reached < longest else None


def _is_there(game: AnyGame, event: Event, state: Any, goal: Goal) -> bool:
    """Whether the state after an event is one that the goal asks for."""
    if state.core.phase != goal.phase:
        return False
    if goal.just_told:
        told = event.step.announcements if event.player != goal.just_told else ()
        return event.at >= goal.after and any(item.audience == to_player(goal.just_told) for item in told)
    return not goal.asked or bool(game.private_view(state, goal.asked).asked)


def time_of_phase(
    game: AnyGame, config: Mapping[str, Any], roster: Roster, seed: str, phase: Phase
) -> timedelta | None:
    """The match time at which a phase begins if nobody does anything; None if it never does."""
    draw = Draw(bytes.fromhex(seed))
    state, time = game.open(game.read_config(config), roster, draw).state, timedelta()
    while state.core.phase != phase:
        due = game.next_deadline(state)
        if due is None:
            return None
        state, time = game.pass_deadline(state, draw).state, due
    return time
