"""What each game's folder must hold, beside rules that conform."""

from __future__ import annotations

import ast
import importlib
import json
from pathlib import Path

import pytest

from matches import games
from matches.engine import scenario as scenarios
from matches.engine.game import AnyGame
from matches.engine.strict_json import loads
from matches.games.registry import all_games, game_of
from tests.conformance.subjects import every_game

ROOT = Path(games.__file__).parent
FEWEST_SCENARIOS = 25


def folder(game: AnyGame) -> Path:
    return ROOT / game.slug


def scenario_files(game: AnyGame) -> list[Path]:
    return sorted((folder(game) / "tests" / "scenarios").glob("*.json"))


FILES = [
    pytest.param(file, id=f"{game.slug}/{file.stem}") for game in all_games().values() for file in scenario_files(game)
]


@pytest.mark.parametrize("file", FILES)
def test_a_scenario_goes_as_it_says(file: Path) -> None:
    scenario = scenarios.read(loads(file.read_bytes()), game_of)
    report = scenarios.play(scenario)
    assert scenarios.broken_expectations(scenario, report["steps"]) == []
    assert json.loads(json.dumps(report, allow_nan=False)) is not None


@every_game
def test_there_are_scenarios_enough_and_each_is_of_this_game(game: AnyGame) -> None:
    files = scenario_files(game)
    assert len(files) >= FEWEST_SCENARIOS
    assert {loads(file.read_bytes())["game"] for file in files} == {game.slug}


@every_game
def test_scenarios_show_every_phase_refusals_and_results(game: AnyGame) -> None:
    phases, verdicts = set(), set()
    for file in scenario_files(game):
        report = scenarios.play(scenarios.read(loads(file.read_bytes()), game_of))
        phases.add(report["phase"])
        verdicts |= {step.get("code", "accepted") for step in report["steps"] if step}
    assert {"running", "decision", "finished"} <= phases
    assert {"accepted", "not_a_player", "unknown_action", "malformed", "wrong_phase"} <= verdicts


@every_game
def test_every_code_that_the_rules_can_answer_is_shown_by_a_scenario(game: AnyGame) -> None:
    shown = {
        step.get("code")
        for file in scenario_files(game)
        for step in scenarios.play(scenarios.read(loads(file.read_bytes()), game_of))["steps"]
    }
    missing = _codes_in_the_source(game) - shown
    assert not missing, f"no scenario is refused with {', '.join(sorted(missing))}"


def _codes_in_the_source(game: AnyGame) -> set[str]:
    """The first arguments of all `Rejected(...)` in the game's rules, constants resolved."""
    codes = set()
    for path in folder(game).glob("*.py"):
        module = (
            importlib.import_module(f"{games.__name__}.{game.slug}.{path.stem}")
            if path.stem != "config_fields"
            else None
        )
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Rejected":
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    codes.add(str(code.value))
                elif isinstance(code, ast.Name) and hasattr(module, code.id):
                    codes.add(getattr(module, code.id))
    return codes


@every_game
def test_there_is_a_page_of_rules_in_our_own_words(game: AnyGame) -> None:
    text = (folder(game) / "README.md").read_text()
    assert game.title in text
    assert len(text.split()) > 200


@every_game
def test_templates_and_static_files_stand_in_folders_of_the_games_name(game: AnyGame) -> None:
    for kind in ("templates", "static"):
        top = folder(game) / kind
        for path in top.rglob("*") if top.exists() else ():
            if path.is_file():
                assert path.relative_to(top).parts[:2] == ("games", game.slug)


@every_game
def test_every_place_on_the_pages_has_its_template_style_and_script(game: AnyGame) -> None:
    names = ["status", "board", "summary", "panel", "act", "forecast", "receipt", "result", "rules"]
    names += ["ask", "answer"] if game.questions else []
    wanted = [f"templates/games/{game.slug}/{name}.html" for name in names]
    wanted += [f"static/games/{game.slug}/board.{kind}" for kind in ("css", "js")]
    assert [path for path in wanted if not (folder(game) / path).is_file()] == []


@every_game
def test_everybody_who_may_sit_down_is_marked_as_oneself(game: AnyGame) -> None:
    """The shared style marks what is mine by my place in the list."""
    style = (ROOT.parent.parent / "static" / "css" / "board.css").read_text()
    last = game.sizes.most - 1
    assert f'[data-me="{last}"] [data-owner~="{last}"]' in style


@every_game
def test_hosts_can_understand_every_setting(game: AnyGame) -> None:
    keys = [option.key for option in game.settings]
    assert len(set(keys)) == len(keys)
    assert all(option.label for option in game.settings)
    assert game.title
    assert game.summary.endswith(".")
    assert all(name in (folder(game) / "README.md").read_text() for name in game.designers)
    assert game.sizes.least <= game.sizes.usual[0] <= game.sizes.usual[1] <= game.sizes.most


@every_game
def test_questions_are_no_actions_and_notices_have_known_tones(game: AnyGame) -> None:
    assert not set(game.questions) & set(game.actions)
    assert set(game.tones.values()) <= {"garnet", "jade", "brass"}


@every_game
def test_defaults_and_presets_read_back_to_the_same(game: AnyGame) -> None:
    for config in ({}, *game.presets.values()):
        typed = game.read_config(config)
        full = json.loads(json.dumps(typed.write(), allow_nan=False))
        assert set(full) == {option.key for option in game.settings}
        assert game.read_config(full) == typed
