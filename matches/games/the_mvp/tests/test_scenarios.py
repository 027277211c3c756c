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
from matches.games.the_mvp import GAME

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
        *("not_positive", "card_not_open", "not_enough_chips", "card_gone", "not_enough_garnets"),
    }


def test_every_ending_tie_and_decision_is_met_in_a_scenario() -> None:
    reports = [played(path) for path in SCENARIOS]
    assert {report["public"]["ending"] for report in reports} == {"", "all_claimed", "standstill", "last_round"}
    results = [report["public"]["result"] for report in reports if report["public"]["result"]]
    assert {(result["team"], result["nullified"]) for result in results} >= {
        *(("red", False), ("green", False), (None, False), (None, True)),
    }
    assert {sum(rank["won"] for rank in result["ranks"]) for result in results} == {1, 2, 3, 4, 6}
    finished = [report for report in reports if report["outcome"]]
    ways = {poll["how"] for report in finished for poll in report["public"]["decisions"]["polls"]}
    assert ways == {"only_one", "voted", "drawn"}
    gifts = [gift for report in finished for gift in report["public"]["decisions"]["gifts"]]
    assert {gift["drawn"] for gift in gifts} == {True, False}
