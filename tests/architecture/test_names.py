"""No game is named outside its folder: a sixth match type is one new folder and nothing else."""

import re
from collections.abc import Iterator

from matches.engine.game import AnyGame
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


def names() -> dict[str, re.Pattern[str]]:
    """For each game the ways in which code writes its name. Its words may be plain English, such as “sealed bid”."""
    return {slug: re.compile(rf"\b(?:{'|'.join(_spellings(slug, game))})\b") for slug, game in all_games().items()}


def _spellings(slug: str, game: AnyGame) -> tuple[str, ...]:
    return slug, slug.replace("_", "-"), re.escape(game.title)


def faults(file: File) -> Iterator[str]:
    for slug, pattern in names().items():
        for found in pattern.finditer(file.text):
            line = file.text.count("\n", 0, found.start()) + 1
            yield f"{file.path}:{line} names {slug}"


def test_no_game_is_named_outside_its_folder() -> None:
    found = [fault for file in shared_files() for fault in faults(file)]
    assert not found, (
        f"what is shared names no game; a new game that is called like something else needs another name: {found}"
    )


def test_no_game_names_another() -> None:
    found = []
    for slug in all_games():
        for file in files(*ENDINGS, under=(f"matches/games/{slug}/",)):
            found += [fault for fault in faults(file) if not fault.endswith(f" {slug}")]
    assert not found, (
        f"a game names no other; a new game that is called like something else needs another name: {found}"
    )
