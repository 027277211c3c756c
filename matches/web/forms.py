"""Reads forms as actions and questions of any game, and says what the rules would answer to one."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from django.http import QueryDict
from django.template import Context
from django.template.loader import get_template
from msgspec import inspect

from accounts.forms import MISSING
from matches.engine.actions import Action, ActionTypes, decode_action
from matches.engine.errors import MALFORMED, Rejected
from matches.infra.rate_limits import TOO_FAST
from matches.models import Player
from matches.pages.context import MatchContext
from matches.pages.forms import WHOLE, FormState, Typed, tree_of
from matches.pages.fragments import template_of
from matches.queries.matches import Position
from matches.services.errors import Refused

# -- forms -----------------------------------------------------------------------------------------------
# Reads a form as an action or a question of any game; the types of its fields say how each input is read.
#
# A field has the name of the action's field. Entries of a dict are written `bids[7]`, and deeper ones
# `bids[7][gold]`; a list of structs has rows, `items[0][item]`; a field with several values is sent several times.
# Empty entries and rows are left out; of a field sent twice, by a button and by an empty input, what is filled in
# counts. Names in brackets: see `form_fields`. What may be of several types is read as it is named: entries make a
# dict, several values a list, `answers[bid][=whole]` a number, and anything else a text.

LONGEST_TEXT = 4000
MOST_ROWS = 60
_MOST_DIGITS = 15
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NO_NOUNS = {"from", "to", "up_to"}
_CHOSEN = {"player", "seat"}  # from a list, by all games
_NOT_FIELDS = {"type", "key", "meant_for", "csrfmiddlewaretoken"}
_Struct = inspect.StructType | inspect.DataclassType
_Several = inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType


class FormError(Exception):
    """A form cannot be read as an action. `form_state`: what was typed, with the errors at their fields."""

    def __init__(self, form_state: FormState) -> None:
        super().__init__(dict(form_state.errors))
        self.form_state = form_state


class Form(NamedTuple):
    """A form that was read: the action as JSON, and what was typed."""

    action: dict[str, Any]
    form_state: FormState
    typed: Typed

    def refused(self, field: str | None, message: str) -> FormState:
        """What was typed, with the rules' sentence at its input; without such an input, at the whole form."""
        return with_errors(self.form_state, {self.typed.input_at(f".{field}") if field else "": message})


def typed_in(sent: QueryDict) -> FormState:
    """The form as it was sent."""
    values = {name: [text[:LONGEST_TEXT] for text in sent.getlist(name)] for name in sent if name not in _NOT_FIELDS}
    return FormState(sent.get("type", "")[:40], values)


def read_action(actions: ActionTypes, sent: QueryDict) -> Form:
    """The typed action or question. Raises `FormError`."""
    form_state = typed_in(sent)
    kind = actions.get(form_state.type)
    if kind is None:
        raise FormError(
            with_errors(form_state, {"": "This form does not belong to this match. Reload the page and try again."})
        )
    typed, reader = tree_of(form_state.values), _Reader()
    action = {"type": form_state.type} | reader.struct(_fields_of(kind), typed)
    if reader.errors:
        raise FormError(with_errors(form_state, reader.errors))
    return Form(action, form_state, typed)


def with_errors(form_state: FormState, errors: Mapping[str, str]) -> FormState:
    """The same form with these errors."""
    return FormState(form_state.type, form_state.values, errors)


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


class _Reader:
    """Reads typed inputs by their types; notes unreadable ones in `errors`, by input, and leaves them out."""

    def __init__(self) -> None:
        self.errors: dict[str, str] = {}

    def struct(self, fields: Iterable[inspect.Field], typed: Typed) -> dict[str, Any]:
        """The fields that were filled in; missing ones that are required are noted."""
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
        """A struct within an action. What its `needs(found)` names is missing too if it is not there: fields that
        depend on others."""
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
            self.errors[typed.name] = "Type a whole number, such as 3."
        elif len(text) > _MOST_DIGITS:
            self.errors[typed.name] = "That number is too large."
        else:
            return int(text)
        return None


# -- forecasts -------------------------------------------------------------------------------------------
# What the rules would answer to a form now, as a sentence; nothing is stored.


class Asker(NamedTuple):
    """A player before the board: the position, what templates see of the match, and the player."""

    position: Position
    shown: MatchContext
    player: Player


def forecast(asker: Asker, sent: QueryDict) -> str:
    """What a form would do, or why it would be refused, as HTML."""
    match = asker.position.match
    try:
        action = read_action(match.rules.actions, sent).action
        rejection = asker.position.would_refuse(asker.player, action)
    except FormError as error:
        return _text({"kind": "open", "message": next(iter(error.form_state.errors.values()))})
    except Refused as refused:
        return _text({"kind": "bad", "message": refused.message})
    return _text(_effect(asker, action) if rejection is None else _refusal(asker, action, rejection))


def too_fast() -> str:
    """The answer to somebody who asks too often."""
    return _text({"kind": "open", "message": TOO_FAST})


def _refusal(asker: Asker, action: dict[str, Any], rejection: Rejected) -> dict[str, Any]:
    """Why an action would be refused, and what would make it possible."""
    position, remedy = asker.position, None
    game, public, own = position.match.rules, position.public, position.private_of(asker.player)
    if rejection.code != MALFORMED and public is not None and own is not None:
        remedy = game.remedy(public, own, decode_action(game.actions, action), rejection)
    return {"kind": "bad", "message": rejection.message, "remedy": remedy}


def _effect(asker: Asker, action: dict[str, Any]) -> dict[str, Any]:
    """The effect of an acceptable action, from the player's views."""
    position, effect = asker.position, None
    game, public, own = position.match.rules, position.public, position.private_of(asker.player)
    if public is not None and own is not None:
        effect = game.forecast(public, own, decode_action(game.actions, action))
    return asker.shown.context() | {
        "kind": "good",
        "game_part": template_of(position.match.game, "forecast"),
        "action": action,
        "forecast": effect,
        "own": own,
        "me": asker.shown.people.get(asker.player.handle),
    }


def _text(context: dict[str, Any]) -> str:
    template: Any = get_template("matches/forecast.html")
    return str(template.template.render(Context(context, use_l10n=False)))
