"""Every scenario file plays as it says, to the position that its file in `expected/` names."""

from __future__ import annotations

from pathlib import Path

import pytest

from matches.games.number_auction.conditions import CONDITIONS, LINES
from tests.games.scenarios import not_in_both, played, rejected_in, scenarios_in, unlike_expected

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
