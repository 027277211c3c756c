"""What the conformance suite runs on: every registered game, with its defaults and in each run half of its presets, and
two games that only tests play."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from matches import games
from matches.engine.game import AnyGame, Game
from matches.engine.match_time import parse_duration
from matches.engine.settings import Entrant, Flag, Roster
from matches.games.registry import all_games
from tests.engine.tiny_game import GAME as TINY
from tests.example_game import GAME as EXAMPLE
from tests.fixtures.chosen import one_in

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "leo", "mia", "ned", "oda", "pia")


if EXAMPLE.slug in all_games():
    raise AssertionError(f"the slug {EXAMPLE.slug!r} is that of tests/example_game: give your game another one")

WITH_FOLDERS: dict[str, AnyGame] = {**all_games(), EXAMPLE.slug: EXAMPLE}
"""The games that have a folder of their own; the tiny one is a single file."""


def folder_of(game: AnyGame) -> Path:
    """Return the folder of everything that belongs to a game."""
    home = "tests/example_game" if game is EXAMPLE else f"matches/games/{game.slug}"
    return Path(games.__file__).parents[2] / home


def found_game(slug: str) -> AnyGame:
    """Return the game with the slug that a scenario file gives."""
    return WITH_FOLDERS[slug]


def seals(game: AnyGame) -> bool:
    """Whether the game has sealed submissions."""
    return game.sealed_in is not None or type(game).sealed is not Game.sealed


class Subject(NamedTuple):
    """A game with a config to play it with."""

    game: AnyGame
    config: dict[str, Any]

    def roster(self, extra: int, wealth: int) -> Roster:
        """Return a roster of the least size or a little more; `wealth` determines what everybody brings."""
        sizes = self.game.sizes
        count = min(sizes.least + extra, max(sizes.usual[1], sizes.least), sizes.most, len(NAMES))
        return tuple(
            Entrant(NAMES[seat], garnets=(wealth >> seat) % 5, priority=(wealth >> 2 * seat) % 4)
            for seat in range(count)
        )


def _subjects() -> list[Any]:
    found = []
    for slug, game in {**WITH_FOLDERS, TINY.slug: TINY}.items():
        configs = {"defaults": {}, **dict(one_in(2, list(game.presets.items())))}
        usual = game.read_config({})
        if flags := [option.key for option in game.settings if isinstance(option, Flag)]:
            configs["each flag turned over"] = {key: not getattr(usual, key) for key in flags}
        seen: list[Any] = []
        for name, config in configs.items():
            typed = _without_spans(game.read_config(config).write())
            if typed not in seen:
                seen.append(typed)
                found.append(pytest.param(Subject(game, dict(config)), id=f"{slug}-{name}".replace(" ", "_")))
    return found


def _without_spans(config: Any) -> Any:
    """The config without lengths of time: configs that differ only in these play alike, so one is enough."""
    if isinstance(config, dict):
        return {key: _without_spans(value) for key, value in config.items()}
    is_span = isinstance(config, str) and re.fullmatch(r"(\d+[dhms])+", config) is not None
    return bool(parse_duration(config)) if is_span else config


SUBJECTS = _subjects()
KINDS = [each for each in SUBJECTS if each.id.endswith("-defaults")]
GAMES = [pytest.param(game, id=slug) for slug, game in WITH_FOLDERS.items()]

every_subject = pytest.mark.parametrize("subject", SUBJECTS)
every_game = pytest.mark.parametrize("game", GAMES)
every_kind_of_game = pytest.mark.parametrize("subject", KINDS)
