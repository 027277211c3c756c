"""JSON values in words, so that nobody has to read brackets and braces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def value_in_words(value: Any) -> str:
    """“17”, “yes”, “nothing”, “Z, Y”, “Treasury (gold 3, silver 1)”."""
    if value is None or value in ("", [], {}, ()):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(_named(key, part) for key, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(f"({value_in_words(part)})" if _has_parts(part) else value_in_words(part) for part in value)
    return str(value)


def fields_in_words(value: Any) -> list[tuple[str, str]]:
    """A submission as names and values; empty for None."""
    if value is None:
        return []
    fields = value.items() if isinstance(value, Mapping) else [("submission", value)]
    return [(key_in_words(key), value_in_words(part)) for key, part in fields]


def key_in_words(key: Any) -> str:
    """A key as a name, without underscores."""
    return str(key).replace("_", " ")


def _named(key: Any, part: Any) -> str:
    said = value_in_words(part)
    return f"{key_in_words(key)} ({said})" if _has_parts(part) else f"{key_in_words(key)} {said}"


def _has_parts(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple) and bool(value)
