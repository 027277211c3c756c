"""The registry of match types: every folder in `games/` with a `GAME` is one."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, NoReturn

from matches import games
from matches.engine.actions import ActionTypes
from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame, Game
from matches.engine.settings import Settings, Sizes

# -- unknown rules -------------------------------------------------------------------------------------


class RulesUnknown(LookupError):
    """This site does not have the rules with which a match began; the message is for everybody."""


class _NoSettings(Settings, frozen=True, kw_only=True):
    """The settings of a match with unknown rules, which are unknown too."""


class UnknownRules(Game[_NoSettings, Any, Any, Any]):
    """A stand-in for rules that this site does not have; it refuses all play. `known` is this site's version of the
    game, if it has one."""

    is_known = False
    actions: ClassVar[ActionTypes] = {}

    def __init__(self, slug: str, version: int, known: AnyGame | None) -> None:
        self.slug = slug  # type: ignore[misc]
        self.title = known.title if known else slug.replace("_", " ").capitalize()  # type: ignore[misc]
        self.sizes = known.sizes if known else Sizes(least=2, most=2, usual=(2, 2))  # type: ignore[misc]
        self.assets = known.assets if known else ()  # type: ignore[misc]
        self.teams = known.teams if known else ()  # type: ignore[misc]
        has = f"has version {known.rules_version}" if known else "does not have this game"
        self.problem = f"This match uses version {version} of the rules of {self.title}; this site {has}."

    def read_config(self, raw: object) -> NoReturn:
        raise ConfigError("game", self.problem)

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RulesUnknown(self.problem)

    # Everything needs the state first, and decoding it is refused; the rest only fulfils the contract.
    decode_state = open = act = play_deadline = advance = _refuse
    public_view = private_view = score = bot_play = _refuse


# -- registry ------------------------------------------------------------------------------------------


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
    """The game with this slug and this version of its rules (None: any version), or a stand-in for unknown rules."""
    game = all_games().get(slug)
    if game is not None and version in (None, game.rules_version):
        return game
    return UnknownRules(slug, version or 1, game)


class UnknownGame(LookupError):
    """There is no match type with this name."""


def game_of(slug: str) -> AnyGame:
    """The game with this slug. Raises `UnknownGame`."""
    try:
        return all_games()[slug]
    except KeyError:
        known = ", ".join(all_games())
        raise UnknownGame(f"there is no game {slug[:60]!r}; known are {known}") from None
