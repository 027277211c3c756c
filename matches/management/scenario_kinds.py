"""What kinds of scenario files there are: matches, and what other apps register (`register` in `AppConfig.ready`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matches.engine import scenario as scenarios
from matches.games.registry import game_of


@dataclass(frozen=True, slots=True)
class ScenarioKind:
    """One kind of file, told by its `key`.

    `read`: a scenario from decoded JSON; raises `ScenarioError`. `play` and `play_through_services` (with whether to
    keep what was played) give the line to print, whose `steps` are checked by `broken`: a sentence for each step that
    is not what the file expects. They raise `ScenarioError` and `Unplayable`.
    """

    key: str
    read: Callable[[object], Any]
    play: Callable[[Any], dict[str, Any]]
    play_through_services: Callable[[Any, bool], dict[str, Any]]
    broken: Callable[[Any, list[dict[str, Any]]], list[str]]


def _match_through_services(scenario: scenarios.Scenario, keep: bool) -> dict[str, Any]:
    # Imported here: playing in memory needs no database.
    from matches.services.scenario_runner import play_scenario

    return play_scenario(scenario, keep=keep)


OF_A_MATCH = ScenarioKind(
    key="game",
    read=lambda raw: scenarios.read(raw, game_of),
    play=scenarios.play,
    play_through_services=_match_through_services,
    broken=lambda scenario, verdicts: scenarios.broken_expectations(scenario.steps, verdicts),
)

_others: dict[str, ScenarioKind] = {}


def register(kind: ScenarioKind) -> None:
    """From now on files with this kind's key are played by it."""
    _others[kind.key] = kind


def kind_of(raw: object) -> ScenarioKind:
    """The kind of a decoded file; that of a match if nothing says otherwise."""
    keys = raw if isinstance(raw, dict) else {}
    return next((kind for key, kind in _others.items() if key in keys), OF_A_MATCH)
