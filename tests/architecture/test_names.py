"""No game is named outside its folder: a sixth match type is one new folder and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from matches.games.registry import all_games
from tests.architecture.files import File, files, in_tests

# Prose may speak of a game.
ENDINGS = (".py", ".html", ".txt", ".js", ".css", ".svg", ".toml", ".yml", ".yaml", "Makefile", "Dockerfile", ".sh")


def shared_files() -> list[File]:
    """Everything that is written once for all games."""
    return [
        file
        for file in files(*ENDINGS)
        if not in_tests(file.path) and not (file.path.startswith("matches/games/") and file.path.count("/") > 2)
    ]


# Where a test needs a match and any would do, it plays that of tests/fixtures/any_game.py.
TESTS_MAY_NAME = {
    "tests/admin/drafts/test_names.py": "teams, which one type has",
    "tests/admin/drafts/test_repeating.py": "draws that a host may fix, of which there are few",
    "tests/admin/test_console.py": "rounds, and draws that a host may fix",
    "tests/browser/test_season.py": "a season of every type, each by the preset that a host would click on",
    "tests/browser/test_unsent.py": "fields that go with their round",
    "tests/chat_commands/test_playing.py": "a type of which there is no match",
    "tests/seasons/played.py": "a season of several types: how one of them ends is in what its tests expect",
    "tests/services/test_fixed_draws.py": "draws that a host may fix",
    "tests/talk/test_channels.py": "teams",
    "tests/talk/test_speeches.py": "auctions with the names and prizes that a host has set",
    "tests/web/test_replay.py": "votes that stay secret for ever",
    "tests/web/test_tables.py": "the same",
}


def shared_tests() -> list[File]:
    """The tests that are in no game's folder."""
    return [file for file in files(*ENDINGS) if in_tests(file.path) and not file.path.startswith("matches/games/")]


def names() -> dict[str, re.Pattern[str]]:
    """For each game all the ways to write its name."""
    return {slug: re.compile(_spelling(slug) + "|" + _spelling(game.title), re.I) for slug, game in all_games().items()}


def _spelling(name: str) -> str:
    return r"[\s_-]*".join(map(re.escape, re.split(r"[\s_-]+", name)))


def faults(file: File) -> Iterator[str]:
    for slug, pattern in names().items():
        for found in pattern.finditer(file.text):
            line = file.text.count("\n", 0, found.start()) + 1
            yield f"{file.path}:{line} names {slug}"


def test_no_game_is_named_outside_its_folder() -> None:
    assert [fault for file in shared_files() for fault in faults(file)] == []


def test_no_game_is_named_in_shared_tests_but_for_a_reason() -> None:
    named = {file.path: found for file in shared_tests() if (found := list(faults(file)))}
    assert {path: found for path, found in named.items() if path not in TESTS_MAY_NAME} == {}
    assert set(TESTS_MAY_NAME) <= set(named), "a reason for a file that names none, or is gone"


def test_no_game_names_another() -> None:
    found = []
    for slug in all_games():
        for file in files(*ENDINGS, under=(f"matches/games/{slug}/",)):
            found += [fault for fault in faults(file) if not fault.endswith(f" {slug}")]
    assert found == []
