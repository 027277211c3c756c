"""What a command would lead to, in lines for the page on which a host confirms it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.admin import formats
from matches.admin.formats import differences
from matches.models import Match
from matches.services.amending import Foreseen

_MOST = 12
_TIMES = frozenset({"at", "until", "closes", "next_deadline", "fee_from"})


def in_lines(match: Match, foreseen: Foreseen | None) -> list[str]:
    """What everybody sees before and afterwards; a refusal; or that nothing else changes. Empty where nothing can be
    told."""
    if foreseen is None:
        return []
    if foreseen.refusal:
        return [f"It would be refused: {foreseen.refusal}"]
    before, after = _readable(match, foreseen.before), _readable(match, foreseen.after)
    changes = {_plain(key): (before.get(key), after.get(key)) for key in {**before, **after}}
    lines = differences({key: pair for key, pair in changes.items() if pair[0] != pair[1]}, _MOST)
    if not lines:
        return ["Standing and result stay as they are."]
    return [f"Everybody then sees: {line}." for line in lines]


def _plain(key: str) -> str:
    return key.replace("_", " ")


def _readable(match: Match, value: Any, key: str = "") -> Any:
    """Match times as instants, and lists of players by handle."""
    if isinstance(value, dict):
        return {name: _readable(match, part, name) for name, part in value.items()}
    if isinstance(value, list | tuple):
        if value and all(isinstance(part, dict) and "handle" in part for part in value):
            return {part["handle"]: _readable(match, part) for part in value}
        return [_readable(match, part, key) for part in value]
    if isinstance(value, int | float) and not isinstance(value, bool) and (key in _TIMES or key.endswith("_at")):
        at = match.clock.instant(timedelta(seconds=value))
        return formats.instant(at) if at is not None else formats.span(value)
    return value
