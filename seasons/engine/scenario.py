"""Reads season scenarios: a season written down, with whole matches among its steps.

Everything about the form of the file is checked here; what a step means is judged when it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.draw import SEED_BYTES
from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.scenario import (
    ScenarioError,
    ScenarioStep,
    as_flag,
    as_object,
    as_seed,
    as_steps,
    as_time,
    expected_of,
    is_handle,
)
from seasons.engine.amounts import blood_units
from seasons.engine.commands import KEYS, VERBS
from seasons.engine.lineup import Entry
from seasons.engine.season import begin
from seasons.engine.settings import SeasonSettings
from seasons.engine.state import BLOOD_UNITS, CastEntry

MOST = 10**9
_NO_SEED = "00" * SEED_BYTES
_CAST_KEYS = ("handle", "team", "garnets", "priority", "blood_garnets")
_STEP_KEYS = ("at", "match", "blood_from", *VERBS, *sorted(KEYS), "rejected", "accepted")
_MATCH_KEYS = ("game", "config", "seed", "players", "steps", "run_out", "cancel")


class MatchPlan(msgspec.Struct, frozen=True):
    """A match as a step lists it. `players`: None means all who are in."""

    game: Any
    raw_config: dict[str, Any]
    seed: bytes
    players: tuple[Entry, ...] | None
    steps: tuple[ScenarioStep, ...]
    run_out: bool
    cancel: bool


class SeasonStep(msgspec.Struct, frozen=True):
    """One step at a season time: a match, a command (JSON), or neither. `expected` as in a match's steps."""

    at: timedelta
    match: MatchPlan | None = None
    command: dict[str, Any] | None = None
    blood_from: bool = False
    expected: str | None = None


class SeasonScenario(msgspec.Struct, frozen=True):
    """A whole season scenario."""

    settings: SeasonSettings
    seed: bytes
    cast: tuple[CastEntry, ...]
    steps: tuple[SeasonStep, ...]


def read(raw: object, find_game: Callable[[str], AnyGame]) -> SeasonScenario:
    """A season scenario from decoded JSON. Raises `ScenarioError`."""
    document = as_object(raw, "the file", ("season", "steps"))
    season = as_object(document.get("season"), "season", ("settings", "seed", "cast"))
    try:
        settings = SeasonSettings.read(season.get("settings", {}))
        cast = _cast(season.get("cast"))
        begin(settings, cast)
    except ConfigError as error:
        raise ScenarioError(f"season: {error}") from None
    steps = _steps(document.get("steps", []), find_game)
    return SeasonScenario(settings, as_seed(season.get("seed", _NO_SEED)), cast, steps)


def _cast(raw: object) -> tuple[CastEntry, ...]:
    if not isinstance(raw, list):
        raise ScenarioError("season.cast: expected a list of members")
    return tuple(_cast_entry(entry, f"season.cast[{index}]") for index, entry in enumerate(raw))


def _cast_entry(raw: object, where: str) -> CastEntry:
    entry = as_object(raw, where, _CAST_KEYS)
    amounts = {key: _amount(entry.get(key, 0), f"{where}.{key}") for key in ("garnets", "priority")}
    try:
        blood = blood_units(entry.get("blood_garnets", 0))
    except ValueError as error:
        raise ScenarioError(f"{where}.blood_garnets: {error}") from None
    if not 0 <= blood <= MOST * BLOOD_UNITS:
        raise ScenarioError(f"{where}.blood_garnets: expected 0 or more")
    return CastEntry(_handle(entry.get("handle"), where), _team(entry, where), **amounts, blood=blood)


def _amount(raw: object, where: str) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= MOST:
        raise ScenarioError(f"{where}: expected a whole number, 0 or more")
    return raw


def _handle(raw: object, where: str) -> str:
    if not isinstance(raw, str) or not is_handle(raw):
        raise ScenarioError(f"{where}.handle: expected a name of at most 30 letters, without spaces")
    return raw


def _team(entry: Mapping[str, Any], where: str) -> str | None:
    team = entry.get("team")
    if "team" in entry and (not isinstance(team, str) or not is_handle(team.replace(" ", "_"))):
        raise ScenarioError(f"{where}.team: expected the short name of a team")
    return team


def _steps(raw: object, find_game: Callable[[str], AnyGame]) -> tuple[SeasonStep, ...]:
    if not isinstance(raw, list):
        raise ScenarioError("steps: expected a list of steps")
    steps: list[SeasonStep] = []
    for index, entry in enumerate(raw):
        where = f"steps[{index}]"
        step = _step(as_object(entry, where, _STEP_KEYS), where, find_game)
        if steps and step.at < steps[-1].at:
            raise ScenarioError(f"{where}.at: time goes back; it was later in the step before")
        steps.append(step)
    return tuple(steps)


def _step(entry: Mapping[str, Any], where: str, find_game: Callable[[str], AnyGame]) -> SeasonStep:
    at = as_time(entry, where)
    verbs = [key for key in ("match", *VERBS) if key in entry]
    if len(verbs) > 1:
        raise ScenarioError(f"{where}: one step does one thing, not {' and '.join(verbs)}")
    expected = expected_of(entry, where, bool(verbs))
    more = {key: entry[key] for key in entry if key in KEYS}
    if not verbs or verbs == ["match"]:
        # What belongs to commands belongs neither to a match nor to a step that only lets time pass.
        for key in [*more, *(["blood_from"] if not verbs and "blood_from" in entry else [])]:
            raise ScenarioError(f"{where}.{key}: there is nothing in this step that it belongs to")
    elif "blood_from" in entry:
        raise ScenarioError(f"{where}.blood_from: belongs to a match")
    if not verbs:
        return SeasonStep(at)
    if verbs == ["match"]:
        plan = _match(entry["match"], f"{where}.match", find_game)
        return SeasonStep(at, plan, None, as_flag(entry.get("blood_from", False), f"{where}.blood_from"), expected)
    return SeasonStep(at, None, {verbs[0]: entry[verbs[0]], **more}, False, expected)


def _match(raw: object, where: str, find_game: Callable[[str], AnyGame]) -> MatchPlan:
    entry = as_object(raw, where, _MATCH_KEYS)
    slug = entry.get("game")
    if not isinstance(slug, str):
        raise ScenarioError(f"{where}.game: expected the name of a game")
    try:
        game = find_game(slug)
    except LookupError as error:
        raise ScenarioError(f"{where}.game: {error}") from None
    config = entry.get("config", {})
    if not isinstance(config, dict):
        raise ScenarioError(f"{where}.config: expected an object with the match's settings")
    try:
        return MatchPlan(
            game=game,
            raw_config=config,
            seed=as_seed(entry.get("seed", _NO_SEED)),
            players=_players(entry["players"]) if "players" in entry else None,
            steps=as_steps(entry.get("steps", [])),
            run_out=as_flag(entry.get("run_out", False), "run_out"),
            cancel=as_flag(entry.get("cancel", False), "cancel"),
        )
    except ScenarioError as error:
        raise ScenarioError(f"{where}.{error}") from None


def _players(raw: object) -> tuple[Entry, ...]:
    if not isinstance(raw, list):
        raise ScenarioError("players: expected a list of handles")
    return tuple(_player(entry, f"players[{index}]") for index, entry in enumerate(raw))


def _player(raw: object, where: str) -> Entry:
    if isinstance(raw, str):
        return Entry(_handle(raw, where))
    entry = as_object(raw, where, ("handle", "team"))
    return Entry(_handle(entry.get("handle"), where), _team(entry, where))
