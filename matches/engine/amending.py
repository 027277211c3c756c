"""Settings that hosts may change while a match runs, because what they are about has not begun yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from matches.engine.step import Turn


def _nothing_has_begun(turn: Turn, state: Any, config: Any) -> None:
    """Whatever can be played may be set."""


def _no_note(state: Any) -> str:
    return ""


class Amendments(msgspec.Struct, frozen=True):
    """What of a match type's settings may be amended: the `keys`, and what the rules say to a change.

    `judge` gets a turn at the present moment, the state, and the typed config that it shall play by from now on. It
    raises `ConfigError` with the key, or the path in it (`rounds[1].auctions`), for what has begun already. It may
    announce what everybody may know, and should see to it that nobody learns of what begins later.

    `note` says to hosts, in a sentence, what is fixed by now; empty if nothing is.
    """

    keys: tuple[str, ...] = ()
    judge: Callable[[Turn, Any, Any], None] = _nothing_has_begun
    note: Callable[[Any], str] = _no_note
