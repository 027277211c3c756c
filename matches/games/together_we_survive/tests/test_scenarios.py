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
