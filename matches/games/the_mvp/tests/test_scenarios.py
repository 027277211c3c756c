"""Every scenario file plays as it says, to the position that its file in `expected/` names."""

from __future__ import annotations

from pathlib import Path

import pytest

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
