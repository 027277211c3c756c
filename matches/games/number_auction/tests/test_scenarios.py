"""Every scenario file plays as it says, to the position that its file in `expected/` names.

An expected file holds the parts of the printed report that the scenario is about: of an object
only the named keys are compared, everything else exactly.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matches.engine.scenario import broken_expectations, play, read
from matches.engine.strict_json import loads
from matches.games.number_auction import GAME
from matches.games.number_auction.conditions import CONDITIONS, LINES

HERE = Path(__file__).parent
SCENARIOS = sorted((HERE / "scenarios").glob("*.json"))


def read_json(path: Path) -> Any:
    return loads(path.read_bytes())


def played(path: Path) -> Any:
    scenario = read(read_json(path), lambda slug: GAME)
    report = json.loads(json.dumps(play(scenario)))
    assert not broken_expectations(scenario, report["steps"])
    return report


def named_part(whole: Any, part: Any) -> Any:
    """Of `whole`, what `part` names."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return {key: named_part(whole[key], value) for key, value in part.items() if key in whole}
    return whole


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_plays_as_it_says(path: Path) -> None:
    expected = read_json(HERE / "expected" / path.name)
    assert expected
    assert named_part(played(path), expected) == expected


def test_every_scenario_says_what_to_expect_and_nothing_else_does() -> None:
    expected = {path.name for path in (HERE / "expected").glob("*.json")}
    assert expected == {path.name for path in SCENARIOS}


def test_every_code_is_met_in_a_scenario() -> None:
    rejected = {step.get("rejected") for path in SCENARIOS for step in read_json(path).get("steps", [])}
    assert rejected >= {
        *("not_a_player", "malformed", "unknown_action", "wrong_phase", "not_your_decision", "not_eligible"),
        *("not_positive", "unknown_number", "not_enough_tokens", "not_enough_garnets"),
    }


def test_every_ending_condition_and_line_is_met_in_a_scenario() -> None:
    reports = [played(path) for path in SCENARIOS]
    results = [report["public"]["result"] for report in reports if report["outcome"]]
    assert {result["decided_by"] for result in results} == {"lines", "conditions", "points", ""}
    ways = {poll["how"] for report in reports if report["outcome"] for poll in report["public"]["decisions"]["polls"]}
    assert ways == {"only_one", "named", "drawn"}
    sheets = [each for report in reports if report["outcome"] for each in report["outcome"]["details"].values()]
    assert {name for each in sheets for name in each["conditions"]} == set(CONDITIONS)
    assert {line for each in sheets for line in each["unique_lines"]} == set(LINES)
