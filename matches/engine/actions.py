"""Reading an action: from whatever arrived to one of the game's typed actions.

Implements the first steps of the order of rejections: `malformed` for what is no object or has no
`type`, `unknown_action`, `malformed` again for fields. Questions are typed and read like actions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from matches.engine.core import DECISION, RUNNING, Phase
from matches.engine.errors import MALFORMED, Rejected

_PATH = re.compile(r" - at `\$\.?([^`]*)`$")


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all typed actions; a subclass names its `type` with `tag="…"`, and its `phases` where it is possible in
    others than the play."""

    phases: ClassVar[tuple[Phase, ...]] = (RUNNING,)


class Decision(Action, frozen=True):
    """Something that is decided after the play."""

    phases = (DECISION,)


class NameCandidate(Decision, frozen=True, tag="name_candidate"):
    """The winner names the Elimination Candidate."""

    player: str


class Vote(Decision, frozen=True, tag="vote"):
    """A winner's private vote for the Elimination Candidate."""

    player: str


class GiveTokens(Decision, frozen=True, tag="give_tokens"):
    """A holder of several Tokens of Life gives away all but one: as many recipients as tokens."""

    to: tuple[str, ...]


RawAction = dict[str, Any]
"""An action as JSON has it: an object with its `type`."""

DECISIONS = {
    "name_candidate": "name the Elimination Candidate",
    "vote": "vote for the Elimination Candidate",
    "give_tokens": "give Tokens of Life away",
}
"""The decisions that any game may ask for after the play: the action's type -> what its player is asked to do."""

ActionTypes = Mapping[str, type[Action]]
"""By `type`: what a game can be asked to do."""


def action_types(*types: type[Action]) -> ActionTypes:
    """The table that `decode_action` reads from, by tag."""
    return {str(kind.__struct_config__.tag): kind for kind in types}


def decode_action(types: ActionTypes, raw: object, word: str = "action") -> Action:
    """Turn decoded JSON into a typed action, or into what `word` calls what is typed like one (a question).

    Strict: `"5"`, `true`, `null`, `2.5` and `3.0` are no whole numbers, and a field that the
    action does not have is an error. Raises `Rejected`.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("type"), str):
        example = next(iter(types), "bid")
        message = f'{word.capitalize()}s are objects with a "type", such as {{"type": "{example}"}}.'
        raise Rejected(MALFORMED, message)
    kind = types.get(raw["type"])
    if kind is None:
        known = f"these {word}s: {', '.join(sorted(types))}" if types else f"no {word}s"
        raise Rejected(f"unknown_{word}", f"This match knows {known}.", field="type")
    try:
        # Sorted, so that a state never depends on the order of keys, which JSON does not have: the log's canonical
        # text must play again to the same state.
        return msgspec.convert(msgspec.to_builtins(raw, order="sorted"), kind)
    except msgspec.ValidationError as error:
        message, field = _explain(str(error))
        raise Rejected(MALFORMED, f"{message}. {_shape(kind)}", field=field) from None
    except (UnicodeEncodeError, RecursionError):
        # A field named with half of a surrogate pair (JSON can spell it, UTF-8 cannot hold it), or endless brackets.
        raise Rejected(MALFORMED, f"an unknown field. {_shape(kind)}") from None


_NAMES = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "float": "a number with a point",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_EXPECTED = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_BOUND = re.compile(r"Expected `int` (>=|<=) (-?[0-9]+)")
_SIDES = {">=": "least", "<=": "most"}
_MISSING = re.compile(r"Object missing required field `([^`]*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


def _explain(error: str) -> tuple[str, str | None]:
    """msgspec's message in plain words and without its path, and the field that the path names."""
    found, message = _PATH.search(error), _PATH.sub("", error)
    path = found.group(1) if found else ""
    if (missing := _MISSING.fullmatch(message)) is not None:
        field = f"{path}.{missing[1]}" if path else missing[1]
        return f"{field}: missing", field
    if (unknown := _UNKNOWN.fullmatch(message)) is not None:
        return f'there is no "{unknown[1][:40]}" in {path or "this action"}', path or None
    message = _EXPECTED.sub(lambda types: f"expected {_name(types[1])}, got {_name(types[2])}", message)
    message = _BOUND.sub(lambda bound: f"expected a whole number of at {_SIDES[bound[1]]} {bound[2]}", message)
    message = message.replace("`", '"')
    return (f"{path}: {message}" if path else message), path or None


def _name(types: str) -> str:
    return " or ".join(_NAMES.get(word, word) for word in types.split(" | "))


_SHAPES = {int: "whole number", str: "text", bool: "true or false", tuple[str, ...]: "list of names"}


def _shape(kind: type[Action]) -> str:
    parts = [f'"type": "{kind.__struct_config__.tag}"']
    for field in msgspec.structs.fields(kind):
        parts.append(f'"{field.name}": {_SHAPES.get(field.type, "…")}')
    return "Expected {" + ", ".join(parts) + "}."


def encode(value: Any) -> bytes:
    """Any engine value as JSON bytes."""
    return msgspec.json.encode(value)
