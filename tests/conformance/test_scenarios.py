"""Every game's scenarios: each goes and ends as it says, and together they show everything that can happen."""

import ast
import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from matches.engine import errors
from matches.engine.core import DECISION, FINISHED, RUNNING
from matches.engine.errors import MALFORMED, NOT_A_PLAYER, NOT_ELIGIBLE, NOT_YOUR_DECISION, WRONG_PHASE
from matches.engine.game import AnyGame
from matches.engine.scenario import broken_expectations
from matches.engine.sentences import joined
from tests.conformance.scenario_files import files_of, played, unlike_expected
from tests.conformance.subjects import GAMES, every_game, folder_of

FILES = [
    pytest.param(path, id=f"{game.slug}/{path.stem}") for param in GAMES for game in param.values
    for path in files_of(game)
]  # fmt: skip


@pytest.mark.parametrize("path", FILES)
def test_a_scenario_goes_as_it_says_to_where_it_says(path: Path) -> None:
    scenario, report, *_ = played(path)
    assert scenario.game.read_config(scenario.config.write()) == scenario.config, "its settings read back as others"
    assert broken_expectations(scenario.steps, report["steps"]) == []
    unlike = unlike_expected(path)
    assert unlike is None, f"tests/expected/{path.name} says otherwise: {unlike}"


@every_game
def test_every_scenario_is_of_this_game_and_says_what_to_expect(game: AnyGame) -> None:
    expected = {path.name for path in (folder_of(game) / "tests" / "expected").glob("*.json")}
    scenarios = {path.name for path in files_of(game)}
    assert scenarios, "write an example match in tests/scenarios/"
    assert expected == scenarios, "each file in tests/scenarios/ needs one of the same name in tests/expected/"
    assert {played(path).scenario.game.slug for path in files_of(game)} == {game.slug}


@every_game
def test_scenarios_show_every_phase_and_every_action(game: AnyGame) -> None:
    shown = [played(path) for path in files_of(game)]
    missing = {RUNNING, FINISHED, *([DECISION] if game.decides else [])} - {
        phase for each in shown for phase in each.phases
    }
    assert not missing, f"no scenario comes to {joined(missing)}: add steps, or run_out, or a match that ends otherwise"
    missing = {*game.actions, *game.host_actions} - {kind for each in shown for kind in each.accepted}
    assert not missing, f"no scenario has an accepted {joined(missing)}: add a step"


@every_game
def test_every_code_that_the_rules_can_answer_is_shown_by_a_scenario(game: AnyGame) -> None:
    shown = {code for path in files_of(game) for code in played(path).codes}
    missing = (codes_of_the_platform(game) | codes_in_the_source(game)) - shown
    assert not missing, f"no step is {joined(f'rejected: {code}' for code in sorted(missing))}: add such steps"


@every_game
def test_every_code_of_its_own_is_declared(game: AnyGame) -> None:
    of_all = {value for value in vars(errors).values() if isinstance(value, str)}
    missing = codes_in_the_source(game) - of_all - {*game.refusals}
    assert not missing, f"say in `refusals` what {joined(sorted(missing))} means to a program"


def codes_of_the_platform(game: AnyGame) -> set[str]:
    """Return the codes with which the engine refuses in this game, whatever is played."""
    always = {NOT_A_PLAYER, MALFORMED, "unknown_action", WRONG_PHASE}
    return always | ({NOT_YOUR_DECISION, NOT_ELIGIBLE} if game.decides else set())


def codes_in_the_source(game: AnyGame) -> set[str]:
    """Return the first arguments of all `Rejected(...)` in the game's own modules, with constants resolved."""
    codes = set()
    for path in folder_of(game).glob("*.py"):
        if path.stem in ("config_fields", "host_forms"):
            continue
        module = importlib.import_module(f"{type(game).__module__.rpartition('.')[0]}.{path.stem}")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Rejected":
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    codes.add(str(code.value))
                elif isinstance(code, ast.Name) and hasattr(module, code.id):
                    codes.add(getattr(module, code.id))
    return codes


Ending = Callable[[Any], bool]
"""Whether a report shows one way in which a match can end."""


@every_game
def test_every_ending_that_the_game_names_is_shown_by_a_scenario(game: AnyGame) -> None:
    """`tests/endings.py` names the endings, if announcements do not distinguish them (see `test_reach`)."""
    if not (folder_of(game) / "tests" / "endings.py").exists():
        return
    package = type(game).__module__.rpartition(".")[0]
    endings: Mapping[str, Ending] = importlib.import_module(f"{package}.tests.endings").ENDINGS
    reports = [played(path).report for path in files_of(game)]
    missing = [name for name, is_shown in endings.items() if not any(map(is_shown, reports))]
    assert not missing, f"no scenario shows: {', '.join(missing)}"
