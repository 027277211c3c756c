"""A match in which nobody acts: where it stands after each of its deadlines.

For hosts, who want to see before the match what everybody will see in each phase. Nothing of a real match goes in but
its config and its players: whatever is drawn here is drawn by the chance that is handed in, which must not be a
match's own.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.core import Entrant
from matches.engine.draw import Draw
from matches.engine.game import AnyGame, Roster

MOST_SCENES = 60
_MOST_DEADLINES = 1000


class Scene(msgspec.Struct, frozen=True):
    """Where the match stands from `time` on. `label` is the phase in words, numbered where it has several scenes."""

    label: str
    time: timedelta
    state: Any


class Preview(msgspec.Struct, frozen=True):
    """The scenes in order. `whole` says whether they go to the end of the match."""

    scenes: tuple[Scene, ...]
    whole: bool


def preview_of(game: AnyGame, config: Any, roster: Roster, draw: Draw, most: int = MOST_SCENES) -> Preview:
    """A match of this typed config from its opening, at most so many scenes of it. The roster is checked already.

    Of several positions at the same match time only the last one is a scene: nobody ever sees the others.
    """
    state = game.open(config, roster, draw).state
    found = {timedelta(): state}
    due = game.next_deadline(state)
    for _ in range(_MOST_DEADLINES):
        if due is None or (due not in found and len(found) >= most):
            break
        state = game.pass_deadline(state, draw).state
        found[due] = state
        due = game.next_deadline(state)
    return Preview(_labelled(found, whole=due is None), whole=due is None)


def _labelled(found: dict[timedelta, Any], *, whole: bool) -> tuple[Scene, ...]:
    counts = Counter(state.core.phase for state in found.values())
    seen: Counter[str] = Counter()
    scenes = []
    for time, state in found.items():
        phase = state.core.phase
        seen[phase] += 1
        label: str = phase.capitalize()
        if counts[phase] > 1:
            label = f"{label} {seen[phase]} of {counts[phase]}" if whole else f"{label} {seen[phase]}"
        scenes.append(Scene(label, time, state))
    return tuple(scenes)


def filled(roster: Roster, places: int, teams: tuple[str, ...] = ()) -> Roster:
    """The roster with somebody in each of `places` places, and everybody in a team where there are teams: whoever has
    none gets the smallest, in list order."""
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
