"""Every scenario file plays as it says, to the position that its file in `expected/` names."""

from __future__ import annotations

from pathlib import Path

import pytest

from matches.games.coin_collectors.items import KINDS
from tests.games.scenarios import not_in_both, played, read_json, rejected_in, scenarios_in, unlike_expected

HERE = Path(__file__).parent
SCENARIOS = scenarios_in(HERE)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_comes_to_what_is_expected(path: Path) -> None:
    assert unlike_expected(path) is None


def test_every_scenario_says_what_to_expect_and_nothing_else_does() -> None:
    assert not_in_both(HERE) == set()


def test_every_code_is_met_in_a_scenario() -> None:
    assert rejected_in(SCENARIOS) >= {
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
