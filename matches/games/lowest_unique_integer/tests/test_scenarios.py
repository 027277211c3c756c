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
        *("unknown_seat", "seat_won", "own_bid", "not_positive", "too_low", "amount_taken", "not_enough_chips"),
        *("not_enough_garnets", "nothing_to_withdraw"),
    }


def test_every_ending_is_met_in_a_scenario() -> None:
    endings = {played(path)["public"]["ending"] for path in SCENARIOS}
    assert endings >= {"all_won", "silence", "stop"}
