"""Plays a match in which nobody acts, to show hosts beforehand what everybody will see in each phase.

It uses only the match's config and players. All draws come from the seed that the caller gives, which must not be the
seed of a real match.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.roster import Entrant, Roster

MOST_SCENES = 60
_MOST_DEADLINES = 1000


class Scene(msgspec.Struct, frozen=True):
    """Where the match stands from `time` on. `label` says it in the game's own words, which are numbered where several
    scenes have the same."""

    label: str
    time: timedelta
    state: Any


class Preview(msgspec.Struct, frozen=True):
    """The scenes in order. `whole` says whether they go to the end of the match."""

    scenes: tuple[Scene, ...]
    whole: bool


def preview_of(game: AnyGame, config: Any, roster: Roster, draw: Draw, most: int = MOST_SCENES) -> Preview:
    """A match of this typed config from its opening, up to a limit of scenes. The roster has already been checked.

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
