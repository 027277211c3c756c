"""Describes the differences between two values of a setting, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from matches.admin.plain_values import value_in_words

_LONGEST = 60


def differences(changes: Mapping[str, Any], most: int) -> list[str]:
    """Key -> (before, after), as lines such as “rounds, no. 2, limit: 3 → 4”; at most `most` lines, then one that says
    how many more there are."""
    lines = [line for key, (before, after) in changes.items() for line in _between(key, before, after)]
    more = len(lines) - most
    return lines if more <= 0 else [*lines[:most], f"and {more} more"]


def _between(where: str, before: Any, after: Any) -> Iterator[str]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from _at(f"{where}, {_plain(key)}", key, before, after)
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        old, new = dict(enumerate(before)), dict(enumerate(after))
        for place in range(max(len(old), len(new))):
            yield from _at(f"{where}, no. {place + 1}", place, old, new)
    else:
        yield f"{where}: {_value(before)} → {_value(after)}"


def _at(where: str, key: Any, before: Mapping[Any, Any], after: Mapping[Any, Any]) -> Iterator[str]:
    if key not in before:
        yield f"{where}: new, {_value(after[key])}"
    elif key not in after:
        yield f"{where}: taken out, was {_value(before[key])}"
    else:
        yield from _between(where, before[key], after[key])


def _plain(key: Any) -> str:
    return str(key).replace("_", " ")


def _value(value: Any, nothing: str = "nothing") -> str:
    """A short text for a value."""
    if value is None or value == "":
        return nothing
    text = value_in_words(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def changed_fields(changes: Mapping[str, Any]) -> str:
    """Field -> (before, after), on one line; for a dict, each key separately."""
    parts = []
    for field, (before, after) in changes.items():
        if isinstance(before, dict) and isinstance(after, dict):
            keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            parts += [
                f"{key} {_value(before.get(key), 'as usual')} → {_value(after.get(key), 'as usual')}" for key in keys
            ]
        else:
            parts.append(f"{field} {_value(before)} → {_value(after)}")
    return ", ".join(parts)
