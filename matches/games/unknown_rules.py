"""A stand-in for the rules of a match that this site cannot play, because it has another version or no such game.

Every question about the state is refused with a sentence that says what is missing. What needs no rules (titles, lists,
log and ledger, cancelling) still works.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from matches.engine.actions import ActionTypes
from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame, Game
from matches.engine.roster import Sizes
from matches.engine.settings import Settings


class RulesUnknown(LookupError):
    """This site does not know the rules with which a match was begun; the message is for everybody."""


class _NoSettings(Settings, frozen=True, kw_only=True):
    """No settings, since these are unknown too."""


class UnknownRules(Game[_NoSettings, Any, Any, Any]):
    """Refuses all play. `known` is this site's version of the game, if it has one."""

    is_known = False
    actions: ClassVar[ActionTypes] = {}

    def __init__(self, slug: str, version: int, known: AnyGame | None) -> None:
        self.slug = slug  # type: ignore[misc]
        self.title = known.title if known else slug.replace("_", " ").capitalize()  # type: ignore[misc]
        self.sizes = known.sizes if known else Sizes(least=2, most=2, usual=(2, 2))  # type: ignore[misc]
        self.assets = known.assets if known else ()  # type: ignore[misc]
        self.teams = known.teams if known else ()  # type: ignore[misc]
        has = f"has version {known.rules_version}" if known else "does not have this game"
        self.problem = f"This match is played by version {version} of the rules of {self.title}; this site {has}."

    def read_config(self, raw: object) -> NoReturn:
        raise ConfigError("game", self.problem)

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RulesUnknown(self.problem)

    # Everything needs the position first, and reading it is refused; the rest only fulfils the contract.
    decode_state = open = act = play_deadline = advance = _refuse
    public_view = private_view = score = bot_play = _refuse
