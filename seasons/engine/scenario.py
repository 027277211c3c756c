"""Season scenarios: JSON files with a season and whole matches among its steps, how they are read and played.

The form of the file is checked when it is read; the rules judge a step when it is played.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec

from matches.engine.core import FINISHED, GARNET, PREGAME, PRIORITY, TOL, balance
from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.errors import ConfigError, Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import seconds
from matches.engine.scenario import (
    MOST,
    Scenario,
    ScenarioError,
    ScenarioStep,
    as_amount,
    as_flag,
    as_handle,
    as_list,
    as_object,
    as_seed,
    as_settings,
    as_steps,
    as_team,
    as_time,
    broken_expectations,
    expected_of,
    in_order,
    play_through,
    report,
    verdict,
)
from matches.engine.step import Step
from seasons.engine import season
from seasons.engine.commands import KEYS, VERBS
from seasons.engine.season import Entry, begin, lineup
from seasons.engine.state import (
    BLOOD_UNITS,
    Brought,
    CastEntry,
    MatchResult,
    SeasonSettings,
    SeasonState,
    account,
    blood_units,
)

_NO_SEED = "00" * SEED_BYTES
_CAST_KEYS = ("handle", "team", "garnets", "priority", "blood_garnets")
_OF_A_MATCH = ("blood_from", "final")
_STEP_KEYS = ("at", "match", *_OF_A_MATCH, *VERBS, *sorted(KEYS), "rejected", "accepted")
_MATCH_KEYS = ("game", "config", "seed", "players", "steps", "run_out", "cancel")


class MatchPlan(msgspec.Struct, frozen=True):
    """A match in a step. `players`: None means all who are in."""

    game: Any
    raw_config: dict[str, Any]
    seed: bytes
    players: tuple[Entry, ...] | None
    steps: tuple[ScenarioStep, ...]
    run_out: bool
    cancel: bool


class SeasonStep(msgspec.Struct, frozen=True):
    """One step at a season time: a match, a command (JSON), or neither. `expected`: as in a match's steps."""

    at: timedelta
    match: MatchPlan | None = None
    command: dict[str, Any] | None = None
    blood_from: bool = False
    final: bool = False
    expected: str | None = None


class SeasonScenario(msgspec.Struct, frozen=True):
    """A whole season scenario."""

    settings: SeasonSettings
    seed: bytes
    cast: tuple[CastEntry, ...]
    steps: tuple[SeasonStep, ...]


def read(raw: object, find_game: Callable[[str], AnyGame]) -> SeasonScenario:
    """Read a season scenario from decoded JSON. Raises `ScenarioError`."""
    document = as_object(raw, "the file", ("season", "steps"))
    season = as_object(document.get("season"), "season", ("settings", "seed", "cast"))
    try:
        settings = SeasonSettings.read(season.get("settings", {}))
        cast = tuple(_cast_entry(*each) for each in as_list(season.get("cast"), "season.cast", "members"))
        begin(settings, cast)
    except ConfigError as error:
        raise ScenarioError(f"season: {error}") from None
    steps = in_order(document.get("steps", []), _STEP_KEYS, partial(_step, find_game))
    return SeasonScenario(settings, as_seed(season.get("seed", _NO_SEED)), cast, steps)


def _cast_entry(raw: object, where: str) -> CastEntry:
    entry = as_object(raw, where, _CAST_KEYS)
    amounts = {key: as_amount(entry, key, where) for key in ("garnets", "priority")}
    try:
        blood = blood_units(entry.get("blood_garnets", 0))
    except ValueError as error:
        raise ScenarioError(f"{where}.blood_garnets: {error}") from None
    if not 0 <= blood <= MOST * BLOOD_UNITS:
        raise ScenarioError(f"{where}.blood_garnets: expected 0 or more")
    return CastEntry(as_handle(entry.get("handle"), where), as_team(entry, where), **amounts, blood=blood)


def _step(find_game: Callable[[str], AnyGame], entry: Mapping[str, Any], where: str) -> SeasonStep:
    at = as_time(entry, where)
    verbs = [key for key in ("match", *VERBS) if key in entry]
    if len(verbs) > 1:
        raise ScenarioError(f"{where}: one step does one thing, not {' and '.join(verbs)}")
    expected = expected_of(entry, where, bool(verbs))
    more = {key: entry[key] for key in entry if key in KEYS}
    if not verbs or verbs == ["match"]:
        # Keys of commands belong neither to a match nor to a step in which only time passes.
        for key in [*more, *(key for key in _OF_A_MATCH if not verbs and key in entry)]:
            raise ScenarioError(f"{where}.{key}: nothing in this step goes with it")
    elif stray := [key for key in _OF_A_MATCH if key in entry]:
        raise ScenarioError(f"{where}.{stray[0]}: belongs to a match")
    if not verbs:
        return SeasonStep(at)
    if verbs == ["match"]:
        plan = _match(entry["match"], f"{where}.match", find_game)
        blood_from, final = (as_flag(entry.get(key, False), f"{where}.{key}") for key in _OF_A_MATCH)
        return SeasonStep(at, plan, blood_from=blood_from, final=final, expected=expected)
    return SeasonStep(at, None, {verbs[0]: entry[verbs[0]], **more}, expected=expected)


def _match(raw: object, where: str, find_game: Callable[[str], AnyGame]) -> MatchPlan:
    entry = as_object(raw, where, _MATCH_KEYS)
    try:
        game, config = as_settings(entry, find_game)
        return MatchPlan(
            game=game,
            raw_config=config,
            seed=as_seed(entry.get("seed", _NO_SEED)),
            players=tuple(_player(*each) for each in as_list(entry["players"], "players", "handles"))
            if "players" in entry
            else None,
            steps=as_steps(entry.get("steps", [])),
            run_out=as_flag(entry.get("run_out", False), "run_out"),
            cancel=as_flag(entry.get("cancel", False), "cancel"),
        )
    except ScenarioError as error:
        raise ScenarioError(f"{where}.{error}") from None


def _player(raw: object, where: str) -> Entry:
    if isinstance(raw, str):
        return Entry(as_handle(raw, where))
    entry = as_object(raw, where, ("handle", "team"))
    return Entry(as_handle(entry.get("handle"), where), as_team(entry, where))


# -- playing on the rules alone, in memory, and the report that is printed -----------------------------------

Inside = dict[str, Brought]
"""What players have inside a match, by handle."""


def play(scenario: SeasonScenario) -> dict[str, Any]:
    """Play the whole scenario and return the report of its end. Raises `ScenarioError` for a step before the end of the
    preceding match, and `Unplayable`."""
    table = _Table(scenario)
    verdicts = [table.take(step, index) for index, step in enumerate(scenario.steps)]
    return season_report(table.state, verdicts, table.now, table.inside)


def season_report(
    state: SeasonState, verdicts: list[dict[str, Any]], now: timedelta, inside: Mapping[str, Inside]
) -> dict[str, Any]:
    """Return a season as `manage.py play` prints it. `inside`: key of a match -> what its players have in it."""
    after = state.after
    playing = state.playing()
    return {
        "steps": verdicts,
        "now": seconds(now),
        "phase": state.phase,
        "candidates": list(after.candidates) if after else [],
        "between": list(after.between) if after and after.between else None,
        "accounts": {member.handle: account(state.purses, member.handle) for member in state.members},
        "inside": {
            each.handle: {GARNET: found.garnet, PRIORITY: found.priority}
            for each in state.members
            if (found := inside.get(playing.get(each.handle, ""), {}).get(each.handle)) is not None
        },
        "status": {member.handle: member.status for member in state.members},
        "places": {member.handle: member.place for member in state.members if member.place is not None},
    }


def broken(scenario: SeasonScenario, verdicts: list[dict[str, Any]]) -> list[str]:
    """Return one sentence for each step, of the season or inside a match, whose result is not what the file expects."""
    found = broken_expectations(scenario.steps, verdicts)
    for index, (step, given) in enumerate(zip(scenario.steps, verdicts, strict=True)):
        if step.match is not None and "match" in given:
            inner = broken_expectations(step.match.steps, given["match"]["steps"])
            found += [f"steps[{index}].match.{sentence}" for sentence in inner]
    return found


def need_order(at: timedelta, now: timedelta, index: int) -> None:
    """Raise `ScenarioError` if a step is earlier than the end of the match in the step before."""
    if at < now:
        raise ScenarioError(f"steps[{index}].at: the match before it goes on until {seconds(now)} seconds")


def result_of(game: Any, state: Any, *, cancelled: bool) -> MatchResult:
    """Return what the end of a match means for the season."""
    purses = state.core.purses
    final = {
        handle: Brought(balance(purses, handle, GARNET), balance(purses, handle, PRIORITY))
        for handle in state.core.handles
    }
    outcome = game.outcome(state)
    if cancelled or outcome is None:
        return MatchResult(final, cancelled=True)
    tokens = tuple(handle for handle in state.core.handles if balance(purses, handle, TOL) > 0)
    return MatchResult(final, outcome.winners, tokens, outcome.elimination_candidates)


class _Table:
    """The season while it is played."""

    def __init__(self, scenario: SeasonScenario) -> None:
        self.draw = Draw(scenario.seed)
        self.state = season.begin(scenario.settings, scenario.cast).state
        self.now = timedelta()
        self.opened = 0
        self.inside: dict[str, Inside] = {}

    def take(self, step: SeasonStep, index: int) -> dict[str, Any]:
        need_order(step.at, self.now, index)
        self._pass_due(step.at)
        try:
            if step.match is not None:
                return {"accepted": True, "match": self._match(step.match, step)}
            if step.command is None:
                return {}
            self.state = season.apply(self.state, step.command, self.now).state
            self._pass_due(self.now)  # at once, if no time is given to name the opponent
        except Rejected as rejection:
            return verdict(rejection)
        return verdict(None)

    def _pass_due(self, until: timedelta) -> None:
        while (due := season.next_deadline(self.state)) is not None and due <= until:
            self.state = season.pass_deadline(self.state, self.draw).state
        self.now = until

    def _match(self, plan: MatchPlan, step: SeasonStep) -> dict[str, Any]:
        found = lineup(self.state, plan.game, plan.raw_config, plan.players, is_final=step.final)
        key, opened = str(self.opened + 1), self.now
        players = [entrant.handle for entrant in found.roster]
        self.state = season.open_match(self.state, key, players, opened, is_final=step.final).state
        self.opened += 1
        if step.blood_from:
            self.state = season.count_blood(self.state, key, opened).state
        pregame_ended: list[timedelta] = []
        ended: list[timedelta] = []

        def look(event: Step[Any]) -> None:
            core = event.state.core
            if core.phase != PREGAME and not pregame_ended:
                pregame_ended.append(core.time)
            if core.phase == FINISHED and not ended:
                ended.append(core.time)

        run_out = plan.run_out and not plan.cancel
        scenario = Scenario(plan.game, found.config, found.raw_config, plan.seed, found.roster, plan.steps, run_out)
        end = play_through(scenario, look)
        if pregame_ended:
            self._pass_due(opened + pregame_ended[0])
            self.state = season.pregame_over(self.state, key, self.now, self.now).state
        result = result_of(plan.game, end.state, cancelled=not ended)
        self.inside[key] = result.final
        if ended or plan.cancel:
            # Later steps in the match do not delay its settlement.
            self._pass_due(opened + (ended[0] if ended else end.now))
            self.state = season.match_is_over(self.state, key, result, self.now).state
        self._pass_due(opened + end.now)
        return report(plan.game, end.state, end.verdicts, end.now)
