"""Scenario files, each a match written down as JSON: reading them, with every key checked, and playing them."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.errors import ConfigError, Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import optional_seconds, parse_duration, seconds
from matches.engine.settings import Entrant, Roster
from matches.engine.step import Step

_LONGEST_HANDLE = 30
MOST = 10**9
_KEYS = ("game", "config", "seed", "players", "steps", "run_out")
_PLAYER_KEYS = ("handle", "team", "garnets", "priority")
_STEP_KEYS = ("at", "player", "host", "action", "rejected", "accepted")


class ScenarioError(ValueError):
    """The file is not a valid scenario; the message is one sentence that names the key."""


class ScenarioStep(msgspec.Struct, frozen=True):
    """One step at a match time: an optional action, and an optional expectation of its result. An action without a
    `player` is a host's.

    `acts`: whether there is an action. `expected` is None (nothing), "" (accepted), or the code of the expected
    rejection.
    """

    at: timedelta
    player: str | None = None
    action: Any = None
    acts: bool = False
    expected: str | None = None


class Scenario(msgspec.Struct, frozen=True):
    """A whole scenario; `config` is typed by its game."""

    game: Any
    config: Any
    raw_config: dict[str, Any]
    seed: bytes
    roster: Roster
    steps: tuple[ScenarioStep, ...]
    run_out: bool


def read(raw: object, find_game: Callable[[str], AnyGame]) -> Scenario:
    """A scenario from decoded JSON. Raises `ScenarioError`."""
    document = as_object(raw, "the file", _KEYS)
    game, raw_config = as_settings(document, find_game)
    try:
        config = game.read_config(raw_config)
    except ConfigError as error:
        raise ScenarioError(f"config: {error}") from None
    roster = _roster(document.get("players"))
    try:
        game.check_start(config, roster)
    except ConfigError as error:
        raise ScenarioError(f"{'' if error.key == 'players' else 'config: '}{error}") from None
    return Scenario(
        game=game,
        config=config,
        raw_config=dict(raw_config),
        seed=as_seed(document.get("seed", "00" * SEED_BYTES)),
        roster=roster,
        steps=as_steps(document.get("steps", [])),
        run_out=as_flag(document.get("run_out", False), "run_out"),
    )


def as_settings(entry: Mapping[str, Any], find_game: Callable[[str], AnyGame]) -> tuple[AnyGame, dict[str, Any]]:
    """The game of a match, and its settings as the file has them. Raises `ScenarioError`, like all `as_…` functions."""
    slug = entry.get("game")
    if not isinstance(slug, str):
        raise ScenarioError("game: expected the name of a game")
    try:
        game = find_game(slug)
    except LookupError as error:
        raise ScenarioError(f"game: {error}") from None
    config = entry.get("config", {})
    if not isinstance(config, dict):
        raise ScenarioError("config: expected an object with the match's settings")
    return game, config


def as_object(raw: object, where: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    """Check that `raw` is an object with known keys only, and return it. Errors name it as `where`."""
    if not isinstance(raw, dict):
        raise ScenarioError(f"{where}: expected an object")
    for key in raw:
        if key not in known:
            raise ScenarioError(f"{where}: unknown key {key!r:.60}; known are {', '.join(known)}")
    return raw


def as_flag(raw: object, where: str) -> bool:
    """A true or false of a file."""
    if not isinstance(raw, bool):
        raise ScenarioError(f"{where}: expected true or false")
    return raw


def as_seed(raw: object) -> bytes:
    """The bytes of a seed that a file gives in hex."""
    if not isinstance(raw, str) or not re.fullmatch(r"[0-9a-fA-F]{64}", raw):
        raise ScenarioError("seed: expected 64 hexadecimal digits")
    return bytes.fromhex(raw)


def as_list(raw: object, where: str, of: str) -> list[tuple[Any, str]]:
    """The entries of a list, each with its place for errors: `players[2]`."""
    if not isinstance(raw, list):
        raise ScenarioError(f"{where}: expected a list of {of}")
    return [(entry, f"{where}[{index}]") for index, entry in enumerate(raw)]


def as_handle(raw: object, where: str) -> str:
    """A player's handle."""
    if not isinstance(raw, str) or not is_handle(raw):
        raise ScenarioError(f"{where}.handle: expected a name of at most {_LONGEST_HANDLE} letters, without spaces")
    return raw


def as_team(entry: Mapping[str, Any], where: str) -> str | None:
    """The team of an entry, if it has one."""
    team = entry.get("team")
    if "team" in entry and (not isinstance(team, str) or not is_handle(team.replace(" ", "_"))):
        raise ScenarioError(f"{where}.team: expected the short name of a team")
    return team


def as_amount(entry: Mapping[str, Any], key: str, where: str) -> int:
    """An amount of an entry; 0 if it has none."""
    amount = entry.get(key, 0)
    if isinstance(amount, bool) or not isinstance(amount, int) or not 0 <= amount <= MOST:
        raise ScenarioError(f"{where}.{key}: expected a whole number, 0 or more")
    return amount


def _roster(raw: object) -> Roster:
    roster = tuple(_entrant(entry, where) for entry, where in as_list(raw, "players", "players"))
    handles = [entrant.handle for entrant in roster]
    for index, handle in enumerate(handles):
        if handle in handles[:index]:
            raise ScenarioError(f"players[{index}].handle: {handle!r} is listed twice")
    return roster


def _entrant(raw: object, where: str) -> Entrant:
    entry = as_object(raw, where, _PLAYER_KEYS)
    handle, team = as_handle(entry.get("handle"), where), as_team(entry, where)
    return Entrant(handle, team, as_amount(entry, "garnets", where), as_amount(entry, "priority", where))


def is_handle(text: str) -> bool:
    """Whether this can be a player's handle: short, and without spaces or invisible characters."""
    return 0 < len(text) <= _LONGEST_HANDLE and text.isprintable() and " " not in text


def as_steps(raw: object) -> tuple[ScenarioStep, ...]:
    """The steps of a match."""
    return in_order(raw, _STEP_KEYS, _step)


def in_order(raw: object, known: tuple[str, ...], read: Callable[[Mapping[str, Any], str], Any]) -> tuple[Any, ...]:
    """Steps as `read` returns them, with known keys only. Raises `ScenarioError` if they are not in order of time."""
    steps: list[Any] = []
    for entry, where in as_list(raw, "steps", "steps"):
        step = read(as_object(entry, where, known), where)
        if steps and step.at < steps[-1].at:
            raise ScenarioError(f"{where}.at: time goes back; it was later in the step before")
        steps.append(step)
    return tuple(steps)


def as_time(entry: Mapping[str, Any], where: str) -> timedelta:
    """The match time of a step."""
    if "at" not in entry:
        raise ScenarioError(f"{where}.at: missing; expected a match time such as 26h")
    try:
        return parse_duration(entry["at"])
    except ValueError as error:
        raise ScenarioError(f"{where}.at: {error}") from None


def _step(entry: Mapping[str, Any], where: str) -> ScenarioStep:
    at = as_time(entry, where)
    acts = "action" in entry
    by_host = "host" in entry
    if acts != ("player" in entry or by_host):
        missing = "player" if acts else "action"
        raise ScenarioError(f"{where}.{missing}: missing; a step has a player and an action")
    if by_host and (entry["host"] is not True or "player" in entry):
        raise ScenarioError(f"{where}.host: expected true, and no player beside it")
    player = entry.get("player")
    if acts and not by_host and not isinstance(player, str):
        raise ScenarioError(f"{where}.player: expected a handle")
    return ScenarioStep(at, player, entry.get("action"), acts, expected_of(entry, where, acts))


def expected_of(entry: Mapping[str, Any], where: str, acts: bool) -> str | None:
    """What a step expects, as in `ScenarioStep.expected`. A step that does not act (`acts`) cannot expect anything."""
    for key in ("rejected", "accepted"):
        if key in entry and not acts:
            raise ScenarioError(f"{where}.{key}: a step without an action cannot have this key")
    if "rejected" in entry and "accepted" in entry:
        raise ScenarioError(f"{where}.accepted: expect either accepted or rejected")
    if "accepted" in entry:
        if entry["accepted"] is not True:
            raise ScenarioError(f'{where}.accepted: expected true; use "rejected" with a code')
        return ""
    code = entry.get("rejected")
    if "rejected" in entry and (not isinstance(code, str) or not code):
        raise ScenarioError(f"{where}.rejected: expected the code of a rejection")
    return code


# -- playing ---------------------------------------------------------------------------------------
# `play` runs a scenario in memory. `report` gives a position in the format that `manage.py play` prints; scenarios that
# are played through the services and the database use it too.

_MOST_DEADLINES = 100_000


class Unplayable(RuntimeError):
    """A match does not come to an end, by a fault of the rules or because the caller's time is up."""


def verdict(rejection: Rejected | None) -> dict[str, Any]:
    """A step's entry in the printed list of steps."""
    if rejection is None:
        return {"accepted": True}
    return {"accepted": False, "code": rejection.code, "message": rejection.message}


def broken_expectations(steps: Sequence[Any], verdicts: Sequence[Mapping[str, Any]]) -> list[str]:
    """One sentence for each step whose result is not what the file expects."""
    broken = []
    for index, (step, given) in enumerate(zip(steps, verdicts, strict=True)):
        if step.expected is None:
            continue
        got = "" if given["accepted"] else given["code"]
        if got != step.expected:
            broken.append(f"steps[{index}]: expected {step.expected or 'accepted'}, got {got or 'accepted'}")
    return broken


class End(msgspec.Struct, frozen=True):
    """Where a scenario ended: the state, a verdict on each step, and the match time."""

    state: Any
    verdicts: list[dict[str, Any]]
    now: timedelta


def play(scenario: Scenario, look: Callable[[Step[Any]], object] | None = None) -> dict[str, Any]:
    """Play on the rules alone, in memory, and return the `report` of the end. Calls `look` with every `Step`."""
    end = play_through(scenario, look)
    return report(scenario.game, end.state, end.verdicts, end.now)


def play_through(scenario: Scenario, look: Callable[[Step[Any]], object] | None = None) -> End:
    """Play on the rules alone, in memory, to where the scenario ends. Calls `look` with every `Step`."""
    game, draw = scenario.game, Draw(scenario.seed)
    state: Any = None
    now = timedelta()

    def take(step: Step[Any]) -> None:
        nonlocal state
        state = step.state
        if look is not None:
            look(step)

    def pass_due(until: timedelta | None) -> None:
        nonlocal now
        for _ in range(_MOST_DEADLINES):
            due = game.next_deadline(state)
            if due is None or (until is not None and due > until):
                return
            take(game.pass_deadline(state, draw))
            now = max(now, due)
        raise Unplayable(f"{game.title} does not come to an end")

    take(game.open(scenario.config, scenario.roster, draw))
    pass_due(now)
    verdicts: list[dict[str, Any]] = []
    for step in scenario.steps:
        pass_due(step.at)
        now = max(now, step.at)
        if not step.acts:
            verdicts.append({})
            continue
        try:
            if step.player is None:
                take(game.act_as_host(state, step.action, step.at, draw))
            else:
                take(game.submit(state, step.player, step.action, step.at, draw))
        except Rejected as rejection:
            verdicts.append(verdict(rejection))
        else:
            verdicts.append(verdict(None))
        pass_due(step.at)
    if scenario.run_out:
        pass_due(None)
    return End(state, verdicts, now)


def report(game: AnyGame, state: Any, verdicts: list[dict[str, Any]], now: timedelta) -> dict[str, Any]:
    """A position as `manage.py play` prints it, as plain JSON values."""
    handles = state.core.handles
    return {
        "steps": verdicts,
        "phase": state.core.phase,
        "now": seconds(now),
        "next_deadline": optional_seconds(game.next_deadline(state)),
        "public": to_json(game.public_view(state)),
        "private": {handle: to_json(game.private_view(state, handle)) for handle in handles},
        "balances": {handle: dict(sorted(state.core.purses.get(handle, {}).items())) for handle in handles},
        "outcome": to_json(game.outcome(state)),
    }


def to_json(view: Any) -> Any:
    """A view as plain JSON values."""
    return msgspec.to_builtins(view, str_keys=True)
