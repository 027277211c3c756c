"""A game's scenario files, what happens in them, and how they compare with the files in `expected/`.

An expected file holds the parts of the printed report that the scenario is about. Of an object only the named keys are
compared (of a list only the named positions, if it is written as an object with numbers), everything else exactly.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from matches.engine.game import AnyGame
from matches.engine.scenario import Scenario, play, read
from matches.engine.step import Step
from matches.engine.strict_json import loads
from tests.conformance.subjects import folder_of, found_game

Told = tuple[str, str | None]
"""A kind of announcement, and its `how`, if it has one."""


class Played(NamedTuple):
    """A scenario, its report as it is printed, and what happened on the way."""

    scenario: Scenario
    report: Any
    steps: tuple[Step[Any], ...]

    @property
    def phases(self) -> set[str]:
        """The phases that it goes through."""
        return {step.state.core.phase for step in self.steps}

    @property
    def told(self) -> set[Told]:
        """Everything that is announced in it."""
        return {told for step in self.steps for told in told_by(step)}

    @property
    def codes(self) -> set[str]:
        """The codes with which actions were refused."""
        return {step["code"] for step in self.report["steps"] if "code" in step}

    @property
    def accepted(self) -> set[str]:
        """The types of the actions that were accepted."""
        pairs = zip(self.scenario.steps, self.report["steps"], strict=True)
        return {step.action["type"] for step, verdict in pairs if verdict.get("accepted")}


def files_of(game: AnyGame) -> list[Path]:
    """Return the scenario files of a game."""
    return sorted((folder_of(game) / "tests" / "scenarios").glob("*.json"))


@cache
def played(path: Path) -> Played:
    """Play a scenario to its end."""
    scenario = read(loads(path.read_bytes()), found_game)
    steps: list[Step[Any]] = []
    report = json.loads(json.dumps(play(scenario, steps.append), allow_nan=False))
    return Played(scenario, report, tuple(steps))


def told_by(step: Step[Any]) -> set[Told]:
    """Return what a step announces to anybody."""
    return {(item.kind, item.data.get("how")) for item in step.announcements}


def told_in_scenarios(game: AnyGame) -> set[Told]:
    """Return everything that a game's scenarios announce."""
    return {told for path in files_of(game) for told in played(path).told}


def unlike_expected(path: Path) -> Any:
    """Compare what the expected file names with what the scenario comes to; return both, or None if they agree."""
    expected = loads((path.parent.parent / "expected" / path.name).read_bytes())
    assert expected, f"{path.name} expects nothing"
    found = _named_part(played(path).report, expected)
    return None if found == expected else {"found": found, "expected": expected}


def _named_part(whole: Any, part: Any) -> Any:
    """The part of `whole` that `part` names."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return {key: _named_part(whole[key], value) for key, value in part.items() if key in whole}
    if isinstance(whole, list) and isinstance(part, dict):
        places = {place: value for place, value in part.items() if int(place) < len(whole)}
        return {place: _named_part(whole[int(place)], value) for place, value in places.items()}
    return whole
