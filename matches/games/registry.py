"""Finds the match types: every folder in `games/` with a `GAME` is one."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from matches import games
from matches.engine.game import AnyGame
from matches.games.unknown_rules import UnknownRules


@cache
def all_games() -> dict[str, AnyGame]:
    """Slug -> game, in the order of the titles. The slug is the folder's name."""
    found = {}
    for module in pkgutil.iter_modules(games.__path__):
        if module.ispkg:
            found[module.name] = import_module(f"{games.__name__}.{module.name}").GAME
    for folder, game in found.items():
        if game.slug != folder:
            raise RuntimeError(f"the game in games/{folder} calls itself {game.slug}")
    return dict(sorted(found.items(), key=lambda item: item[1].title))


def rules_of(slug: str, version: int | None) -> AnyGame:
    """The game of that slug with that version of its rules (None: any version), or a stand-in for unknown rules."""
    game = all_games().get(slug)
    if game is not None and version in (None, game.rules_version):
        return game
    return UnknownRules(slug, version or 1, game)


class UnknownGame(LookupError):
    """There is no match type of that name."""


def game_of(slug: str) -> AnyGame:
    """The game of that slug; raises `UnknownGame`."""
    try:
        return all_games()[slug]
    except KeyError:
        known = ", ".join(all_games())
        raise UnknownGame(f"there is no game {slug[:60]!r}; known are {known}") from None
