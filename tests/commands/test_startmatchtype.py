"""`manage.py startmatchtype`: what it makes cannot be taken for a game, and a small game can be made of it."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from matches.engine.game import AnyGame
from matches.management.commands.startmatchtype import FILES, make
from tests.conformance import scenario_files, subjects, test_folders, test_scenarios
from tests.conformance.match import Match
from tests.conformance.subjects import Subject
from tests.example_game import GAME as EXAMPLE

MOST_FILES, MOST_LINES = 12, 250


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A skeleton that nobody has touched, known to the conformance suite."""
    make("second_price", tmp_path / "second_price", "second_price")
    monkeypatch.syspath_prepend(str(tmp_path))
    game: AnyGame = import_module("second_price").GAME
    monkeypatch.setitem(subjects.WITH_FOLDERS, game.slug, game)
    for module in (test_folders, test_scenarios, scenario_files):
        monkeypatch.setattr(module, "folder_of", lambda _: tmp_path / "second_price")
    yield game
    for name in [name for name in sys.modules if name.split(".")[0] == "second_price"]:
        del sys.modules[name]


def test_it_can_be_imported_and_opened(fresh: AnyGame) -> None:
    assert (fresh.slug, fresh.title, type(fresh).__name__) == ("second_price", "Second Price", "SecondPrice")
    assert Match(Subject(fresh, {}), 1).state.core.phase == "running"


@pytest.mark.parametrize("slug", ["", "Chess", "1st", "a__b", "a-b", "../x", "x" * 41, "ä"])
def test_a_name_that_is_no_slug_is_refused(slug: str) -> None:
    with pytest.raises(CommandError, match="lowercase letters"):
        call_command("startmatchtype", slug)


# -- a small game made of it -----------------------------------------------------------------------


def files_of_the_example() -> dict[str, str]:
    top = subjects.folder_of(EXAMPLE)
    paths = [path for path in top.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(top).as_posix(): path.read_text() for path in paths}


def test_the_example_is_what_the_skeleton_becomes() -> None:
    made = {name.format(slug=EXAMPLE.slug) for name in FILES if "first_match" not in name}
    assert made <= set(files_of_the_example())
