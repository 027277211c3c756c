"""Every scenario file plays as it says, to the position that its file in `expected/` names.

An expected file holds the parts of the printed report that the scenario is about: of an object
only the named keys are compared (of a list, only the places that are named by number), everything else exactly.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matches.engine.scenario import broken_expectations, play, read
from matches.engine.strict_json import loads
from matches.games.coin_collectors.items import KINDS
from matches.registry import game_of

HERE = Path(__file__).parent
SCENARIOS = sorted((HERE / "scenarios").glob("*.json"))


def read_json(path: Path) -> Any:
    return loads(path.read_bytes())


def played(path: Path) -> Any:
    return json.loads(json.dumps(play(read(read_json(path), game_of))))


def named_part(whole: Any, part: Any) -> Any:
    """Of `whole`, what `part` names."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return {key: named_part(whole[key], value) for key, value in part.items() if key in whole}
    if isinstance(whole, list) and isinstance(part, dict):
        return {place: named_part(whole[int(place)], value) for place, value in part.items() if int(place) < len(whole)}
    return whole


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_plays_as_it_says(path: Path) -> None:
    scenario = read(read_json(path), game_of)
    report = json.loads(json.dumps(play(scenario)))
    assert not broken_expectations(scenario, report["steps"])
    expected = read_json(HERE / "expected" / path.name)
    assert named_part(report, expected) == expected


def test_every_scenario_says_what_to_expect_and_nothing_else_does() -> None:
    expected = {path.name for path in (HERE / "expected").glob("*.json")}
    assert expected == {path.name for path in SCENARIOS}


def test_every_code_is_met_in_a_scenario() -> None:
    rejected = {step.get("rejected") for path in SCENARIOS for step in read_json(path).get("steps", [])}
    assert rejected >= {
        *("not_a_player", "malformed", "unknown_action", "wrong_phase", "not_your_decision", "not_eligible"),
        *("unknown_auction", "not_positive", "not_enough_coins", "auction_limit", "bid_limit", "unknown_item"),
        *("not_enough_items", "item_needs_bid", "not_enough_garnets"),
    }


def test_every_item_is_used_in_a_scenario() -> None:
    actions = [step["action"] for path in SCENARIOS for step in read_json(path).get("steps", []) if "accepted" in step]
    used = {item["item"] for action in actions for item in action.get("items", [])}
    assert used == set(KINDS)


def test_every_ending_is_met_in_a_scenario() -> None:
    reports = [played(path) for path in SCENARIOS]
    results = [report["public"]["result"] for report in reports if report["phase"] == "finished"]
    assert {(bool(each["most_gold"]), bool(each["most_coins"]), each["nullified"]) for each in results} == {
        (True, True, False),
        (True, True, True),
        (False, True, False),
        (False, False, False),
    }
    polls = [poll for report in reports for poll in (report["public"]["decisions"] or {"polls": []})["polls"]]
    assert {poll["how"] for poll in polls} == {"only_one", "voted", "drawn", ""}
