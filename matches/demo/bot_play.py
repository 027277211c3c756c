"""Lets bots play a match in memory, on the rules alone, until it reaches a position worth showing.

Rules and bots are pure: with the same seed and the same moves at the same match times, the services reach the same
position. So the demo knows beforehand when a match must begin.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from matches.engine.bots import wait_after
from matches.engine.core import PHASES, Phase
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.settings import Roster
from matches.engine.step import Step, to_player
from matches.services.bots import chance_of

SECOND = timedelta(seconds=1)


class Move(NamedTuple):
    """What a player did, or without a handle a host who stands in, and at which match time (whole seconds)."""

    at: timedelta
    handle: str
    action: dict[str, Any]


class Goal(NamedTuple):
    """The position to stop at: a phase, not before `after`; optionally one in which a named player is asked something
    (`asked`) or has just been told something (`just_told`).

    `asked` leaves everything in that phase to that player.
    """

    phase: Phase
    after: timedelta = timedelta()
    asked: str = ""
    just_told: str = ""


class BotMatch(NamedTuple):
    """The moves that lead to the goal, and the match time at which it is reached."""

    moves: tuple[Move, ...]
    time: timedelta


class _Play:
    """A match in memory; every bot looks at it now and then."""

    def __init__(self, game: AnyGame, config: Mapping[str, Any], roster: Roster, seed: str, goal: Goal) -> None:
        self.game, self.goal = game, goal
        self.draw = Draw(bytes.fromhex(seed))
        self.bots = {entrant.handle: chance_of(seed, entrant.handle, is_demo=True) for entrant in roster}
        self.state = game.open(game.read_config(config), roster, self.draw).state
        self.public = game.public_view(self.state)
        self.moves: list[Move] = []

    def apply(self, step: Step[Any], time: timedelta, by: str = "") -> bool:
        """Apply a step; whether the goal is reached."""
        self.state = step.state
        self.public = self.game.public_view(self.state)
        told = self.goal.just_told
        if told and (by == told or all(item.audience != to_player(told) for item in step.announcements)):
            return False
        return self.is_there(time)

    def is_there(self, time: timedelta) -> bool:
        if self.state.core.phase != self.goal.phase or time < self.goal.after:
            return False
        return not self.goal.asked or bool(self.game.private_view(self.state, self.goal.asked).asked)

    @property
    def is_beyond(self) -> bool:
        """Whether the goal's phase is over: phases never come back."""
        return PHASES.index(self.state.core.phase) > PHASES.index(self.goal.phase)

    def look(self, time: timedelta, handle: str) -> bool:
        """Let one player look and act; whether the goal is reached."""
        waits = handle == self.goal.asked and self.state.core.phase == self.goal.phase
        if waits:
            return self.is_there(time)
        view = self.game.private_view(self.state, handle)
        action = self.game.bot_action(self.public, view, time, self.bots[handle])
        if action is not None:
            try:
                step = self.game.submit(self.state, handle, action, time, self.draw)
            except Rejected:
                return False
            self.moves.append(Move(time, handle, action))
            return self.apply(step, time, by=handle)
        return not self.goal.just_told and self.is_there(time)

    def pass_due(self, time: timedelta) -> Iterator[timedelta]:
        """Pass due deadlines one by one, and let hosts act where the match waits for them; yields the time of each that
        reaches the goal."""
        while self.game.next_deadline(self.state) is None and (action := self.game.host_play(self.state, self.draw)):
            self.moves.append(Move(time, "", action))
            if self.apply(self.game.act_as_host(self.state, action, time, self.draw), time):
                yield time
        while (due := self.game.next_deadline(self.state)) is not None and due <= time:
            if self.apply(self.game.pass_deadline(self.state, self.draw), due):
                yield due


def play_until(
    game: AnyGame, config: Mapping[str, Any], roster: Roster, seed: str, goal: Goal, *, longest: timedelta
) -> BotMatch | None:
    """Play until the goal is reached; None if the match ends (or lasts longer) without it."""
    play = _Play(game, config, roster, seed, goal)
    every = game.bots_look_every(play.public)
    looks = [(SECOND * draw.integer("first look", every // SECOND), handle) for handle, draw in play.bots.items()]
    heapq.heapify(looks)
    while True:
        time, handle = heapq.heappop(looks)
        for due in play.pass_due(time):
            # A moment later, because pages never show the exact moment of a deadline.
            return BotMatch(tuple(play.moves), due + SECOND)
        if time > longest or play.is_beyond:
            return None
        if play.look(time, handle):
            return BotMatch(tuple(play.moves), time + SECOND)
        wait = wait_after(play.bots[handle], time, game.bots_look_every(play.public))
        heapq.heappush(looks, (time + wait // SECOND * SECOND, handle))


def time_of_phase(
    game: AnyGame, config: Mapping[str, Any], roster: Roster, seed: str, phase: Phase
) -> timedelta | None:
    """When a phase begins if nobody does anything; None if it never does."""
    draw = Draw(bytes.fromhex(seed))
    state, time = game.open(game.read_config(config), roster, draw).state, timedelta()
    while state.core.phase != phase:
        due = game.next_deadline(state)
        if due is None:
            return None
        state, time = game.pass_deadline(state, draw).state, due
    return time
