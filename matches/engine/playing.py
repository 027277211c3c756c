"""Plays scenarios on the rules alone.

`play` runs one in memory, and `report` gives a position in the format that `manage.py play` prints, in memory and
through the services alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Protocol

import msgspec

from matches.engine.draw import Draw
from matches.engine.errors import Rejected
from matches.engine.game import AnyGame
from matches.engine.match_time import optional_seconds, seconds
from matches.engine.scenario import Scenario
from matches.engine.step import Step

_MOST_DEADLINES = 100_000


class Unplayable(RuntimeError):
    """The scenario cannot be played to its end; a fault of the rules, not of the file."""


def verdict(rejection: Rejected | None) -> dict[str, Any]:
    """A step's entry in the printed list of steps."""
    if rejection is None:
        return {"accepted": True}
    return {"accepted": False, "code": rejection.code, "message": rejection.message}


class Expecting(Protocol):
    """A step of a file that may expect something, as `ScenarioStep` does."""

    @property
    def expected(self) -> str | None: ...


def broken_expectations(steps: Sequence[Expecting], verdicts: Sequence[Mapping[str, Any]]) -> list[str]:
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
    """Where a scenario has ended: the state, an entry for each step, and the match time."""

    state: Any
    verdicts: list[dict[str, Any]]
    now: timedelta


def play(scenario: Scenario, look: Callable[[Step[Any]], object] | None = None) -> dict[str, Any]:
    """Play on the rules alone, in memory, and return the report of the end. `look` is called with every step."""
    end = play_through(scenario, look)
    return report(scenario.game, end.state, end.verdicts, end.now)


def play_through(scenario: Scenario, look: Callable[[Step[Any]], object] | None = None) -> End:
    """Play on the rules alone, in memory, to where the scenario ends. `look` is called with every step."""
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
    """A position as `manage.py play` prints it: JSON-able."""
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
