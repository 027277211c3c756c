"""Reads the query parameters of an address; unknown parameters and wrong values are `malformed`.

An unknown parameter may be a misspelt one that matters: a misspelt `dry_run` must not become a real bid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from matches.api.replies import ApiError
from matches.engine.errors import MALFORMED, printable

_MOST_PARAMETERS = 20
_HASH = re.compile(r"[0-9a-f]{64}")


class Parameter(NamedTuple):
    """A parameter: its value where it is not given, what it takes in words, how its text is read (raises `ValueError`
    or `KeyError` for text that it does not take), and a JSON Schema of it."""

    default: Any
    expected: str
    read: Callable[[str], Any]
    schema: Mapping[str, Any] = {"type": "string"}


def whole(default: int, least: int, most: int) -> Parameter:
    """A whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 11 and least <= int(text) <= most):
            raise ValueError(text)
        return int(text)

    schema = {"type": "integer", "minimum": least, "maximum": most, "default": default}
    return Parameter(default, f"a whole number from {least} to {most}", read, schema)


def one_of(*words: str) -> Parameter:
    """One of some words; empty where it is not given."""
    schema = {"type": "string", "enum": list(words)}
    return Parameter("", f"one of {', '.join(words)}", {word: word for word in words}.__getitem__, schema)


def hash_of(what: str) -> Parameter:
    """A SHA-256 in hex; empty where it is not given."""

    def read(text: str) -> str:
        if not _HASH.fullmatch(text):
            raise ValueError(text)
        return text

    return Parameter("", f"{what}, 64 hex digits", read, {"type": "string", "pattern": f"^{_HASH.pattern}$"})


FLAG = Parameter(False, "1 or 0", {"1": True, "0": False}.__getitem__, {"type": "string", "enum": ["1", "0"]})


def read_query(query: str, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """The value of every parameter, given the query as it stands in the address.

    Raises `ApiError` (400, `malformed`) for a parameter that is unknown, given twice, or says what it cannot.
    """
    try:
        given = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS) if query else []
    except ValueError:
        raise ApiError(400, MALFORMED, f"There are more than {_MOST_PARAMETERS} parameters.") from None
    values = {name: parameter.default for name, parameter in parameters.items()}
    seen = set()
    for name, text in given:
        if name not in parameters:
            raise ApiError(400, MALFORMED, f"{printable(name, 40)}: unknown. {_known(parameters)}")
        if name in seen:
            raise ApiError(400, MALFORMED, f"{name}: given twice.")
        seen.add(name)
        try:
            values[name] = parameters[name].read(text)
        except (ValueError, KeyError):
            raise ApiError(400, MALFORMED, f"{name}: expected {parameters[name].expected}.") from None
    return values


def _known(parameters: Mapping[str, Parameter]) -> str:
    if not parameters:
        return "This address takes no parameters."
    return f"The parameters of this address are {', '.join(sorted(parameters))}."
