"""Playing whole matches in memory, on the rules alone: matches in which nobody acts, and matches among bots."""

import hashlib
import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from matches.engine.actions import RawAction
from matches.engine.bots import LOOKS_EVERY, wait_after
from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.scenario import Unplayable
from matches.engine.settings import Entrant, Roster
from matches.engine.step import Step

# -- hosts -----------------------------------------------------------------------------------------


class Event(NamedTuple):
    """The opening, a deadline, or an action that the rules accepted, at match time `at`: the state `before` it (None
    for the opening), and its result.

    An `action` without a `player` is a stand-in host's; without either, it was the opening or a deadline.
    """

    at: timedelta
    before: Any
    step: Step[Any]
    player: str = ""
    action: RawAction | None = None


def stand_in(game: AnyGame, state: Any, draw: Draw) -> Event | None:
    """Let a stand-in act for the hosts if the match waits for them; None if it does not."""
    action, now = game.host_play(state, draw), state.core.time
    return Event(now, state, game.act_as_host(state, action, now, draw), "", action) if action else None


# -- preview ---------------------------------------------------------------------------------------
# A match in which nobody acts. All draws come from the seed that the caller gives, which must not be the seed of a real
# match.

MOST_SCENES = 60
_MOST_DEADLINES = 1000


class Scene(msgspec.Struct, frozen=True):
    """Where the match stands from `time` on. `label` names it in the game's own words, with a number if several scenes
    have the same words."""

    label: str
    time: timedelta
    state: Any


class Preview(msgspec.Struct, frozen=True):
    """The scenes in order. `whole`: whether they reach the end of the match."""

    scenes: tuple[Scene, ...]
    whole: bool


def preview_of(game: AnyGame, config: Any, roster: Roster, draw: Draw, most: int = MOST_SCENES) -> Preview:
    """Play a match with this typed config in which nobody acts, for at most `most` scenes. The roster has already been
    checked.

    Of several positions at the same match time only the last one is a scene: nobody ever sees the others.
    """
    state = game.open(config, roster, draw).state
    found = {timedelta(): state}
    due = game.next_deadline(state)
    for _ in range(_MOST_DEADLINES):
        while due is None and not game.is_rehearsed(state) and (acted := stand_in(game, state, draw)) is not None:
            state = found[state.core.time] = acted.step.state
            due = game.next_deadline(state)
        if due is None or (due not in found and len(found) >= most):
            break
        state = game.pass_deadline(state, draw).state
        found[due] = state
        due = game.next_deadline(state)
    return Preview(_labelled(game, found, whole=due is None), whole=due is None)


def _labelled(game: AnyGame, found: dict[timedelta, Any], *, whole: bool) -> tuple[Scene, ...]:
    said = [game.progress(game.public_view(state)).where for state in found.values()]
    counts = Counter(said)
    seen: Counter[str] = Counter()
    scenes = []
    for label, (time, state) in zip(said, found.items(), strict=True):
        seen[label] += 1
        number = f" {seen[label]} of {counts[label]}" if whole else f" {seen[label]}"
        scenes.append(Scene(label + number if counts[label] > 1 else label, time, state))
    return tuple(scenes)


def filled(roster: Roster, places: int, teams: tuple[str, ...] = ()) -> Roster:
    """The roster with a player in each of `places` places. In a game with teams, players without a team are added to
    the smallest one, in list order."""
    taken = {entrant.handle.lower() for entrant in roster}
    everybody = list(roster)
    number = len(everybody)
    while len(everybody) < places:
        number += 1
        if (handle := f"player_{number}") not in taken:
            everybody.append(Entrant(handle))
    sizes = Counter(entrant.team for entrant in everybody)
    for place, entrant in enumerate(everybody):
        if teams and not entrant.team:
            team = min(teams, key=lambda each: sizes[each])
            sizes[team] += 1
            everybody[place] = msgspec.structs.replace(entrant, team=team)
    return tuple(everybody)


# -- bot match -------------------------------------------------------------------------------------
# Bots see the same views as on the site and look as often, except that each looks at least a few times in a short
# round, and not thousands of times in a very long one.

_MOST_LOOKS = 100_000
_SECOND = timedelta(seconds=1)
_FEWEST_LOOKS, _MOST_LOOKS_OF_ONE = 8, 72
"""How often each bot looks between two deadlines on average: at least, and at most."""


def chance_of(seed: bytes, handle: str) -> Draw:
    """The random draws of one bot. They reveal nothing about the seed."""
    return Draw(hashlib.sha256(b"bot:" + handle.encode() + b":" + seed).digest())


Chooser = Callable[[Any, Any, timedelta, Draw], RawAction | None]
"""A function of the public view, the private view, the match time and the bot's draws that returns an action, or None
to wait."""


def bot_match(
    game: AnyGame,
    config: Any,
    roster: Roster,
    seed: bytes,
    enough: Callable[[], bool] = lambda: False,
    choosers: Mapping[str, Chooser] = MappingProxyType({}),
    is_rehearsed: Callable[[Any], bool] = lambda state: False,
) -> Iterator[Event]:
    """Play a match with this typed config among bots, and yield its events. The roster has already been checked.

    It plays to the end, or until the match waits for its hosts in a state for which `is_rehearsed` is true.
    `choosers`: handle -> what plays there in place of the game's own bot.

    Raises `Unplayable` if the match does not come to an end, or once `enough()` is true.
    """
    play = _Play(game, seed, [entrant.handle for entrant in roster], choosers)
    step = game.open(config, roster, play.draw)
    play.take(step)
    yield Event(timedelta(), None, step)
    for _ in range(_MOST_LOOKS):
        while (due := game.next_deadline(play.state)) is None:
            acted = stand_in(game, play.state, play.draw)
            if acted is None or is_rehearsed(play.state):
                return
            play.take(acted.step)
            yield acted
        if enough():
            break
        if event := play.next_event(due):
            yield event
    raise Unplayable(f"{game.title} does not come to an end")


class _Play:
    """The current state of a bot match. It makes views anew only if a step says that they have changed, as the site
    does."""

    def __init__(self, game: AnyGame, seed: bytes, handles: list[str], choosers: Mapping[str, Chooser]) -> None:
        self.game, self.draw, self._choosers = game, Draw(seed), choosers
        self._chances = {handle: chance_of(seed, handle) for handle in handles}
        self._private: dict[str, Any] = {}
        self._since = timedelta()
        self._due: timedelta | None = None
        self._looks: list[tuple[timedelta, str]] = []

    def take(self, step: Step[Any]) -> None:
        """Continue from the state after this step."""
        self.state = step.state
        if step.public or not hasattr(self, "public"):
            self.public = self.game.public_view(self.state)
        for handle in step.touched:
            self._private.pop(handle, None)

    def next_event(self, due: timedelta) -> Event | None:
        """Pass the deadline, or let the next bot look and act; None if that bot does nothing, or is refused."""
        if due != self._due:
            self._since, self._due = self.state.core.time, due
            self._hurry(self._since, self._pace(due))
        if not self._looks:
            every = self._pace(due) // _SECOND
            first = {handle: chance.integer("first look", every + 1) for handle, chance in self._chances.items()}
            self._looks = [(_SECOND * wait, handle) for handle, wait in first.items()]
            heapq.heapify(self._looks)
        time, handle = self._looks[0]
        if due <= time:
            return self._pass(due)
        heapq.heapreplace(self._looks, (self._next_look(handle, time, self._pace(due)), handle))
        return self._look(time, handle)

    def _pace(self, due: timedelta) -> timedelta:
        """The shortest time between two looks of a bot until the next deadline."""
        span = due - self._since
        return min(max(LOOKS_EVERY, span / _MOST_LOOKS_OF_ONE), span / (2 * _FEWEST_LOOKS))

    def _next_look(self, handle: str, time: timedelta, pace: timedelta) -> timedelta:
        wait = wait_after(self._chances[handle], time, pace) // _SECOND * _SECOND
        return time + max(wait, _SECOND)

    def _pass(self, due: timedelta) -> Event:
        before = self.state
        step = self.game.pass_deadline(before, self.draw)
        self.take(step)
        return Event(due, before, step)

    def _hurry(self, now: timedelta, pace: timedelta) -> None:
        """Bring looks forward, so that no bot sleeps through a short round or turn after a long one."""
        latest = now + 3 * pace
        self._looks = [
            (time if time <= latest else self._next_look(handle, now, pace), handle) for time, handle in self._looks
        ]
        heapq.heapify(self._looks)

    def _look(self, time: timedelta, handle: str) -> Event | None:
        before = self.state
        if handle not in self._private:
            self._private[handle] = self.game.private_view(before, handle)
        choose = self._choosers.get(handle, self.game.bot_action)
        action = choose(self.public, self._private[handle], time, self._chances[handle])
        if action is None:
            return None
        try:
            step = self.game.submit(before, handle, action, time, self.draw)
        except Rejected:
            return None
        self.take(step)
        return Event(time, before, step, handle, action)
