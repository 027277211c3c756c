"""The tables at which a match type can be played, found from what it declares: each preset for as few, as usual and as
many players as can play, and each switch the other way round.

What changes a board in another way a type says itself, in a module `tests/unusual.py`: `CONFIGS`, a config by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.engine.settings import Choice, Flag, Setting, Span
from matches.games.registry import all_games


class TableOf(NamedTuple):
    """A table of `game` for so many players, with this config."""

    game: str
    name: str
    players: int
    config: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.game}-{self.name}-{self.players}".replace(" ", "_")


def usual_tables() -> list[TableOf]:
    """Presets that differ in their pace alone count once."""
    found: dict[Any, TableOf] = {}
    for slug, game in all_games().items():
        pace = {setting.key for setting in game.settings if isinstance(setting, Span)}
        for preset, config in game.presets.items():
            for players in (game.sizes.least, game.made_for(preset)[0], game.sizes.most):
                alike = (slug, players, *sorted((key, str(each)) for key, each in config.items() if key not in pace))
                found.setdefault(alike, TableOf(slug, preset, players, dict(config)))
    return list(found.values())


def unusual_tables() -> list[TableOf]:
    return [
        TableOf(slug, name, game.sizes.usual[0], dict(config))
        for slug, game in all_games().items()
        for name, config in {**dict(_switched(game)), **_own(slug)}.items()
    ]


def _switched(game: AnyGame) -> Iterator[tuple[str, dict[str, Any]]]:
    defaults = game.read_config({}).write()
    for setting in game.settings:
        for value in _other_values(setting, defaults[setting.key]):
            if _can_be_played(game, config := {setting.key: value}):
                yield f"{setting.key} {value}", config


def _other_values(setting: Setting, default: Any) -> list[Any]:
    if isinstance(setting, Flag):
        return [not default]
    if isinstance(setting, Choice):
        return [each for each in setting.choices if each != default]
    return []


def _can_be_played(game: AnyGame, config: dict[str, Any]) -> bool:
    try:
        game.read_config(config)
    except ConfigError:
        return False
    return True


def _own(slug: str) -> Mapping[str, dict[str, Any]]:
    name = f"matches.games.{slug}.tests.unusual"
    return import_module(name).CONFIGS if find_spec(name) else {}
