"""From a form to an action, whatever is played: the action's own types say how each field is read.

A field is named as in the action. Dict fields are written `bids[7]`, and deeper ones `bids[7][gold]`;
a field that takes several names comes several times. What is left empty in a dict is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import QueryDict
from msgspec import inspect

from matches.drafts import Draft
from matches.engine.actions import Action, ActionTypes

LONGEST_TEXT = 200
_MOST_DIGITS = 15
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NAME = re.compile(r"(\w{1,40})((?:\[[^\[\]]{1,60}\]){0,3})")
_NOT_FIELDS = {"type", "key", "csrfmiddlewaretoken"}


class FormError(Exception):
    """A form that cannot be read as an action. `draft` is what was typed, with the errors at their fields."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(dict(draft.errors))
        self.draft = draft


def typed_in(post: QueryDict) -> Draft:
    """The form as it was sent."""
    values = {name: [text[:LONGEST_TEXT] for text in post.getlist(name)] for name in post if name not in _NOT_FIELDS}
    return Draft(post.get("type", "")[:40], values)


def read_action(actions: ActionTypes, post: QueryDict) -> tuple[dict[str, Any], Draft]:
    """The action as JSON, and the form as it was typed. Raises `FormError`."""
    draft = typed_in(post)
    kind = actions.get(draft.type)
    if kind is None:
        raise FormError(with_errors(draft, {"": "This form is not one of this match. Reload the page and try again."}))
    action: dict[str, Any] = {"type": draft.type}
    errors: dict[str, str] = {}
    for field in msgspec.structs.fields(kind):
        try:
            value = _read(inspect.type_info(field.type), field.encode_name, draft.values)
        except ValueError as error:
            errors[field.encode_name] = str(error)
            continue
        if value is not None:
            action[field.encode_name] = value
        elif field.required:
            errors[field.encode_name] = _missing(kind, field.encode_name)
    if errors:
        raise FormError(with_errors(draft, errors))
    return action, draft


def with_errors(draft: Draft, errors: Mapping[str, str]) -> Draft:
    """The same form, with what is wrong with it."""
    return Draft(draft.type, draft.values, errors)


def _missing(kind: type[Action], name: str) -> str:
    return f"Please fill in the {name.replace('_', ' ')}."


def _read(kind: inspect.Type, name: str, values: Mapping[str, Sequence[str]]) -> Any:
    """The value of one field; None where nothing was typed. Raises `ValueError` with a sentence."""
    if isinstance(kind, inspect.UnionType):
        return _read(next(part for part in kind.types if not isinstance(part, inspect.NoneType)), name, values)
    if isinstance(kind, inspect.DictType):
        return _read_dict(kind, name, values)
    if isinstance(kind, inspect.StructType | inspect.DataclassType):
        return _read_struct(kind, name, values)
    typed = values.get(name, ())
    if isinstance(kind, inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType):
        return [_scalar(kind.item_type, text) for text in typed if text.strip()]
    if isinstance(kind, inspect.TupleType):
        return [_scalar(each, text) for each, text in zip(kind.item_types, typed, strict=False)]
    if isinstance(kind, inspect.BoolType):
        return bool(typed) and typed[-1] not in ("", "false", "0")
    text = typed[-1].strip() if typed else ""
    return _scalar(kind, text) if text else None


def _scalar(kind: inspect.Type, text: str) -> int | float | str:
    if not isinstance(kind, inspect.IntType):
        return text
    text = text.strip()
    if not _WHOLE.fullmatch(text):
        raise ValueError("Type a whole number, such as 3.")
    if len(text) > _MOST_DIGITS:
        raise ValueError("That number is too large for anything here.")
    return int(text)


def _read_dict(kind: inspect.DictType, name: str, values: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """`name[key]` for every key that was typed; keys stay texts, as in JSON."""
    found: dict[str, Any] = {}
    for full in values:
        parts = _NAME.fullmatch(full)
        if parts is None or not full.startswith(f"{name}["):
            continue
        key = full[len(name) + 1 :].split("]", 1)[0]
        value = _read(kind.value_type, f"{name}[{key}]", values)
        if value is not None and value != {}:
            found[key] = value
    return found


def _read_struct(
    kind: inspect.StructType | inspect.DataclassType, name: str, values: Mapping[str, Sequence[str]]
) -> dict[str, Any] | None:
    found = {field.encode_name: _read(field.type, f"{name}[{field.encode_name}]", values) for field in kind.fields}
    filled = {key: value for key, value in found.items() if value is not None}
    return filled or None
