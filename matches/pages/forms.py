"""Forms of actions: keeps what was typed, and reads it as an action of any game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from django.http import QueryDict
from msgspec import inspect

from accounts.forms import MISSING
from matches.engine.actions import Action, ActionTypes
from matches.engine.views import Remedy

# -- form state ------------------------------------------------------------------------------------------
# What somebody typed into a form, kept to show the form again with its errors.


@dataclass(frozen=True)
class FormState:
    """A submitted form: `type` is the action's, `values` maps each field's name to what was typed.

    `errors`: field -> what is wrong with it; the empty name stands for the whole form. `was_sent`: it was, earlier.
    `remedy`: what would make it right.
    """

    type: str = ""
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    was_sent: bool = False
    remedy: Remedy | None = None

    def value(self, action: str, name: str) -> str:
        """Return what was typed into a field of this action's form, or an empty text."""
        typed = self.values.get(name, ()) if action == self.type else ()
        return typed[-1] if typed else ""

    def chosen(self, action: str, name: str) -> Sequence[str]:
        """Return all values chosen in a field that takes several."""
        return self.values.get(name, ()) if action == self.type else ()

    def error(self, action: str, name: str = "") -> str:
        """Return what is wrong with a field or, without a name, with the whole form."""
        return self.errors.get(name, "") if action == self.type else ""


# -- form fields -----------------------------------------------------------------------------------------
# Names of form fields: reads `bids[7][gold]` as a path in a tree, and finds the input that a rejection is about.
# Each key in brackets may be percent-encoded, so that any name fits in: `bids[St.%20Mary%5D]`.

_NAME = re.compile(r"(\w{1,40})((?:\[[^\[\]]{1,800}\]){0,3})")
_LONGEST_KEY = 100
WHOLE = "=whole"
"""The last key of a field that may be a whole number or something else: `answers[bid][%3Dwhole]`."""


def input_name(name: str, *keys: object) -> str:
    """Return an input's name: `input_name("bids", "St. Mary", "gold")` is `bids[St.%20Mary][gold]`."""
    return name + "".join(f"[{quote(str(key), safe='')}]" for key in keys)


@dataclass(eq=False, slots=True)
class Typed:
    """One input, or a group of inputs by key.

    `values`: what was typed; empty if the form has no input with exactly this `name`. `rows`: the group's rows in
    order, once `filled_rows` has read it as a list.
    """

    name: str
    values: Sequence[str] = ()
    inner: dict[str, Typed] = field(default_factory=dict)
    rows: list[Typed] | None = None

    def at(self, key: str) -> Typed:
        """Return the part with this key; an empty one if nothing was sent."""
        return self.inner.get(key) or Typed(input_name(self.name, key) if self.name else key)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was typed here."""
        return not any(text.strip() for text in self.values) and all(part.is_blank for part in self.inner.values())

    def filled_rows(self) -> list[Typed]:
        """Return the rows of a list by number, without blank ones."""
        numbered = sorted(self.inner.items(), key=lambda item: _number(item[0]))
        self.rows = [row for _, row in numbered if not row.is_blank]
        return self.rows

    def _keyed(self) -> Iterator[tuple[str, Typed]]:
        if self.rows is None:
            yield from self.inner.items()
        else:
            for place, row in enumerate(self.rows):
                yield str(place), row

    def input_at(self, path: str) -> str:
        """Return the name of the input that a path points to; empty if there is none.

        Paths are written as in `Rejected.field`: `.bids.7`, `.bids["St. Mary"].gold`, `.items[0].auction`. If an input
        was sent several times, each number in it (`.to[1]`) points to it.
        """
        # The longest first, so that “St. Mary” is not read as “St”.
        for key, part in sorted(self._keyed(), key=lambda item: -len(item[0])):
            for spelled in (f".{key}", f"[{key}]", f'["{key}"]'):
                if path.startswith(spelled) and (found := part.input_at(path[len(spelled) :])):
                    return found
        if not path and WHOLE in self.inner:
            return self.inner[WHOLE].name
        return self.name if self.values and path[:1] in ("", "[") else ""


def _number(key: str) -> int:
    return int(key) if key.isascii() and key.isdigit() and len(key) < 10 else 10**10


def tree_of(values: Mapping[str, Sequence[str]]) -> Typed:
    """Return what was typed as a tree. Leaves out names that no form field can have."""
    root = Typed("")
    for full, typed in values.items():
        parts = _NAME.fullmatch(full)
        if parts is None:
            continue
        node, name = root, ""
        keys = re.findall(r"\[([^\]]*)\]", parts[2])
        for key, written in [(parts[1], parts[1]), *((unquote(key), f"[{key}]") for key in keys)]:
            name += written
            node = node.inner.setdefault(key[:_LONGEST_KEY], Typed(name))
        node.name, node.values = full, typed
    return root


# -- reading ---------------------------------------------------------------------------------------------
# Reading a form as an action or a question of any game; the types of its fields decide how each input is read.
# A form field has the name of the action's field. Entries of a dict are written `bids[7]`, and deeper ones
# `bids[7][gold]`; a list of structs has rows, `items[0][item]`; a field with several values is sent several times.
# Empty entries and rows are left out; if a field is sent twice, by a button and by an empty input, the filled-in one
# counts. A field that may have several types is read by its name: entries make a dict, several values a list,
# `answers[bid][=whole]` a number, and anything else a text.

LONGEST_TEXT = 4000
MOST_ROWS = 60
_MOST_DIGITS = 15
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NO_NOUNS = {"from", "to", "up_to"}
_CHOSEN = {"player", "seat"}  # all games offer these as a list
_NOT_FIELDS = {"type", "key", "meant_for", "csrfmiddlewaretoken"}
_Struct = inspect.StructType | inspect.DataclassType
_Several = inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType


class FormError(Exception):
    """The form cannot be read as an action. `form_state`: what was typed, with the errors at their fields."""

    def __init__(self, form_state: FormState) -> None:
        super().__init__(dict(form_state.errors))
        self.form_state = form_state


class Form(NamedTuple):
    """A form that could be read: the action as JSON-like data, and what was typed."""

    action: dict[str, Any]
    form_state: FormState
    typed: Typed

    def refused(self, field: str | None, message: str, remedy: Remedy | None = None) -> FormState:
        """Return what was typed, with the rules' message at the input it is about, or else at the whole form."""
        at = self.typed.input_at(f".{field}") if field else ""
        return replace(self.form_state, errors={at: message}, remedy=remedy)


def typed_in(sent: QueryDict) -> FormState:
    """Return the form as it was sent."""
    values = {name: [text[:LONGEST_TEXT] for text in sent.getlist(name)] for name in sent if name not in _NOT_FIELDS}
    return FormState(sent.get("type", "")[:40], values)


def read_action(actions: ActionTypes, sent: QueryDict) -> Form:
    """Return the action or question that was typed. Raises `FormError`."""
    form_state = typed_in(sent)
    kind = actions.get(form_state.type)
    if kind is None:
        message = "This form does not belong to this match. Reload the page and try again."
        raise FormError(replace(form_state, errors={"": message}))
    typed, reader = tree_of(form_state.values), _Reader()
    action = {"type": form_state.type} | reader.struct(_fields_of(kind), typed)
    if reader.errors:
        raise FormError(replace(form_state, errors=reader.errors))
    return Form(action, form_state, typed)


def _missing(name: str) -> str:
    if name in _CHOSEN:
        return f"Choose a {name}."
    return MISSING if name in _NO_NOUNS else f"Fill in the {name.replace('_', ' ')}."


def _nothing(found: Mapping[str, Any]) -> tuple[str, ...]:
    return ()


@cache
def _fields_of(kind: type[Action]) -> tuple[inspect.Field, ...]:
    described = inspect.type_info(kind)
    return described.fields if isinstance(described, inspect.StructType) else ()


@dataclass(slots=True)
class _Reader:
    """Reads typed inputs by their types; collects the unreadable ones in `errors`, by input, and leaves them out."""

    errors: dict[str, str] = field(default_factory=dict)

    def struct(self, fields: Iterable[inspect.Field], typed: Typed) -> dict[str, Any]:
        """Return the fields that were filled in; missing required ones become errors."""
        found = {}
        for each in fields:
            part = typed.at(each.encode_name)
            value = self._read(each.type, part)
            if value is not None:
                found[each.encode_name] = value
            elif each.required and part.name not in self.errors:
                # A group has no input of its own, so its error is shown at the form.
                self.errors["" if part.inner else part.name] = _missing(each.encode_name)
        return found

    def _group(self, kind: _Struct, typed: Typed) -> dict[str, Any]:
        """A struct within an action. Fields that its `needs(found)` names are required, too, given the others."""
        found = self.struct(kind.fields, typed)
        for name in getattr(kind.cls, "needs", _nothing)(found):
            if name not in found:
                self.errors.setdefault(typed.at(name).name, _missing(name))
        return found

    def _read(self, kind: inspect.Type, typed: Typed) -> Any:
        """The value of one field; None if nothing readable was typed."""
        if isinstance(kind, inspect.UnionType) and any(isinstance(each, inspect.DictType) for each in kind.types):
            return self._as_named(kind, typed)
        if isinstance(kind, inspect.UnionType):
            return self._read(next(part for part in kind.types if not isinstance(part, inspect.NoneType)), typed)
        if isinstance(kind, inspect.DictType):
            read = {key: self._read(kind.value_type, part) for key, part in typed.inner.items() if not part.is_blank}
            return {key: value for key, value in read.items() if value is not None}
        if isinstance(kind, _Struct):
            return None if typed.is_blank else self._group(kind, typed)
        if isinstance(kind, _Several) and isinstance(kind.item_type, _Struct):
            return self._rows(kind.item_type, typed)
        if isinstance(kind, _Several):
            return [self._scalar(kind.item_type, text, typed) for text in typed.values if text.strip()]
        if isinstance(kind, inspect.TupleType):
            pairs = zip(kind.item_types, typed.values, strict=False)
            return [self._scalar(each, text, typed) for each, text in pairs]
        if isinstance(kind, inspect.BoolType):
            return bool(typed.values) and typed.values[-1] not in ("", "false", "0")
        text = next((value.strip() for value in typed.values if value.strip()), "")
        return self._scalar(kind, text, typed) if text else None

    def _as_named(self, kind: inspect.UnionType, typed: Typed) -> Any:
        if WHOLE in typed.inner:
            return self._read(inspect.IntType(), typed.at(WHOLE))
        if typed.inner:
            return self._read(next(each for each in kind.types if isinstance(each, inspect.DictType)), typed)
        chosen = [text.strip() for text in typed.values if text.strip()]
        return chosen if len(chosen) > 1 else next(iter(chosen), None)

    def _rows(self, kind: _Struct, typed: Typed) -> list[Any]:
        rows = typed.filled_rows()
        if len(rows) > MOST_ROWS:
            self.errors[""] = f"Fill in at most {MOST_ROWS} rows. You have filled in {len(rows)}."
            return []
        return [self._group(kind, row) for row in rows]

    def _scalar(self, kind: inspect.Type, text: str, typed: Typed) -> int | str | None:
        text = text.strip()
        if not isinstance(kind, inspect.IntType):
            return text
        if not _WHOLE.fullmatch(text):
            self.errors[typed.name] = "Enter a whole number, such as 3."
        elif len(text) > _MOST_DIGITS:
            self.errors[typed.name] = "That number is too large."
        else:
            return int(text)
        return None
