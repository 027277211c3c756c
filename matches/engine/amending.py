"""Settings that hosts may change while a match runs, because the part they concern has not begun yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from matches.engine.step import Turn


def _nothing_has_begun(turn: Turn, state: Any, config: Any) -> None:
    """The default `judge`: every playable config is allowed."""


def _no_note(state: Any) -> str:
    return ""


class Amendments(msgspec.Struct, frozen=True):
    """Which settings of a match type may be amended (`keys`), and how the rules judge a change.

    `judge` gets a turn at the present moment, the state, and the new typed config. It raises `ConfigError` with the
    key, or a path into it (`rounds[1].auctions`), if the change concerns something that has already begun. It may
    announce public facts, but must not reveal anything about what begins later.

    `note` returns a sentence that tells hosts what can no longer be changed, or an empty string.
    """

    keys: tuple[str, ...] = ()
    judge: Callable[[Turn, Any, Any], None] = _nothing_has_begun
    note: Callable[[Any], str] = _no_note
