"""Turns submitted JSON into one of the game's typed actions, or refuses it.

The checks come in this order: `malformed` if it is not an object or has no `type`, then `unknown_action`, then
`malformed` for wrong fields. Questions are read in the same way.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec

from matches.engine.core import DECISION, RUNNING, Phase
from matches.engine.errors import MALFORMED, Rejected, in_plain_words

_PATH = re.compile(r" - at `\$\.?([^`]*)`$")


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all typed actions. A subclass gives its `type` as `tag="…"`, and its `phases` unless it is possible
    in `running` alone."""

    phases: ClassVar[tuple[Phase, ...]] = (RUNNING,)
    is_aid: ClassVar[bool] = False
    """Whether this is an aid for players rather than a move of the rules. Refusals list only the moves."""


class Decision(Action, frozen=True):
    """Base of the actions that are possible after the play, when decisions are made."""

    phases = (DECISION,)


class HostAction(Action, frozen=True):
    """Base of the actions that hosts take inside the rules. Players cannot take them, and no player is a host."""


class NameCandidate(Decision, frozen=True, tag="name_candidate"):
    """The winner names the Elimination Candidate."""

    player: str


class Vote(Decision, frozen=True, tag="vote"):
    """A winner's private vote for the Elimination Candidate."""

    player: str


class GiveTokens(Decision, frozen=True, tag="give_tokens"):
    """A holder of several Tokens of Life gives away all but one, each to a different recipient."""

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
"""The `type` in JSON -> the class of the action."""


Moves = Mapping[type[Action], Callable[..., Any]]
"""How a game carries out its own actions: class of the action -> a function of the turn, the state, the player and the
action that returns the new state."""


def action_types(*types: type[Action]) -> ActionTypes:
    """The given action types by their tag: the table that `decode_action` reads from."""
    return {str(kind.__struct_config__.tag): kind for kind in types}


def decode_action(types: ActionTypes, raw: object, word: str = "action") -> Action:
    """Turn decoded JSON into a typed action, or into a question, which is typed the same way.

    Strict: `"5"`, `true`, `null`, `2.5` and `3.0` are not accepted as whole numbers, and a field that the
    action does not have is an error. Raises `Rejected`, whose message calls the action `word`.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("type"), str):
        example = next(iter(types), "bid")
        message = f'{word.capitalize()}s are objects with a "type", such as {{"type": "{example}"}}.'
        raise Rejected(MALFORMED, message)
    kind = types.get(raw["type"])
    if kind is None:
        moves = sorted(name for name, each in types.items() if not each.is_aid)
        known = f"these {word}s: {', '.join(moves)}" if moves else f"no {word}s"
        raise Rejected(f"unknown_{word}", f"This match knows {known}.", field="type")
    try:
        # Sorted, so that a state never depends on the order of keys: the log stores actions with sorted keys, and
        # must replay to the same state.
        return msgspec.convert(msgspec.to_builtins(raw, order="sorted"), kind)
    except msgspec.ValidationError as error:
        message, field = _explain(str(error))
        raise Rejected(MALFORMED, f"{message}. {_shape(kind)}", field=field) from None
    except (UnicodeEncodeError, RecursionError):
        # A field name with half of a surrogate pair (which JSON can spell and UTF-8 cannot hold), or nesting too deep.
        raise Rejected(MALFORMED, f"an unknown field. {_shape(kind)}") from None


_MISSING = re.compile(r"Object missing required field `([^`]*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


def _explain(error: str) -> tuple[str, str | None]:
    """Return msgspec's message in plain words and without its path, and the field that the path names."""
    found, message = _PATH.search(error), _PATH.sub("", error)
    path = found.group(1) if found else ""
    if (missing := _MISSING.fullmatch(message)) is not None:
        field = f"{path}.{missing[1]}" if path else missing[1]
        return f"{field}: missing", field
    if (unknown := _UNKNOWN.fullmatch(message)) is not None:
        return f'there is no "{unknown[1][:40]}" in {path or "this action"}', path or None
    message = in_plain_words(message)
    return (f"{path}: {message}" if path else message), path or None


_SHAPES = {int: "whole number", str: "text", bool: "true or false", tuple[str, ...]: "list of names"}


def _shape(kind: type[Action]) -> str:
    parts = [f'"type": "{kind.__struct_config__.tag}"']
    for field in msgspec.structs.fields(kind):
        if field.default is msgspec.UNSET:  # an aid that few need, not a part of the move
            continue
        parts.append(f'"{field.name}": {_SHAPES.get(field.type, "…")}')
    return "Expected {" + ", ".join(parts) + "}."


def encode(value: Any) -> bytes:
    """Any engine value as JSON bytes."""
    return msgspec.json.encode(value)
