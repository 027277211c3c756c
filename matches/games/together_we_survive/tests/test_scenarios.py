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
from matches.games.together_we_survive import GAME

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
        *("not_positive", "not_on_stage", "not_enough_tokens", "three_votes", "not_in_group_b"),
        *("nothing_to_withdraw", "not_enough_garnets"),
    }


def test_every_ending_is_met_in_a_scenario() -> None:
    public = [report["public"] for path in SCENARIOS if (report := played(path))["outcome"]]
    groups = [group for view in public for group in view["result"]["groups"]]
    assert {group["how"] for group in groups} == {"only_one", "voted", "drawn"}
    assert {group["mass_win"] for group in groups} == {True, False}
    assert {tokens for group in groups for tokens in group["tokens_won"].values()} == {1, 2, 3}
    assert any(group["winners"] == group["losers"] for group in groups)
    gifts = [gift for view in public for gift in view["decisions"]["gifts"]]
    assert {gift["drawn"] for gift in gifts} == {True, False}
