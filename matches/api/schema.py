"""JSON Schemas of the API's types and of what games take, and sample actions."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Union

import msgspec
from msgspec import inspect
from msgspec.structs import asdict

from matches.api import shapes
from matches.engine.actions import ActionTypes
from matches.engine.core import BLOOD_GARNET
from matches.engine.game import AnyGame
from matches.engine.settings import Choice, Data, Flag, Setting, Span, Whole
from matches.games.registry import all_games
from matches.infra.structs import filled

# -- components ------------------------------------------------------------------------------------------
# JSON Schemas of the API's types, and of the views, actions and questions of all games, by name.

Json = dict[str, Any]

_PLACE = "#/components/schemas/"
_WITH_MODULES = re.compile(r"(?:matches\.games\.)?(\w+)\.(?:\w+\.)*(\w+)")


class Components:
    """The schemas of some types: `of` returns that of a type, `schemas` has all that they refer to, by name. Raises
    `ValueError` if two types of an app (or game) have the same name."""

    def __init__(self, types: Iterable[Any]) -> None:
        games = list(all_games().values())
        wanted = list(dict.fromkeys([*types, *_stand_ins(), *(kind for game in games for kind in _types_of(game))]))
        found, schemas = msgspec.json.schema_components(wanted, ref_template=_PLACE + "{name}")
        self._known: dict[Any, Json] = {kind: _plainly(schema) for kind, schema in zip(wanted, found, strict=True)}
        self.schemas: Json = {_in_short(name): _plainly(schema) for name, schema in schemas.items()}
        if len(self.schemas) < len(schemas):
            raise ValueError("two types of one app have the same name: give one of them another")
        for game in games:
            self._allow_blood_garnets(game)
        for stand_in, kinds in _stand_ins().items():
            self.schemas[stand_in.__name__] |= {"anyOf": [self._known[kind] for kind in kinds]}
            for key in ("properties", "required", "type"):
                self.schemas[stand_in.__name__].pop(key, None)

    def of(self, kind: Any) -> Json:
        """Return the schema of one of the types."""
        return self._known[kind]

    def _allow_blood_garnets(self, game: AnyGame) -> None:
        """Add Blood Garnets to a game's balances: exact decimals, so as text. The rules do not know them."""
        name = self._known[game.private_type]["$ref"].removeprefix(_PLACE)
        balances = self.schemas[name]["properties"]["balances"]
        balances["properties"] = {BLOOD_GARNET: {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}}


def _stand_ins() -> Mapping[Any, list[Any]]:
    games = list(all_games().values())
    return {
        shapes.AnyPublic: [game.public_type for game in games],
        shapes.AnyPrivate: [game.private_type for game in games],
        shapes.AnyAction: [one_of(game.actions) for game in games],
        shapes.AnyQuestion: [one_of(game.questions) for game in games if game.questions],
    }


def _types_of(game: AnyGame) -> list[Any]:
    questions = [one_of(game.questions)] if game.questions else []
    return [game.public_type, game.private_type, one_of(game.actions), *questions]


def one_of(types: ActionTypes) -> Any:
    """Return a union of these types."""
    return Union[tuple(types.values())]  # noqa: UP007  (made at run time)


def _in_short(name: str) -> str:
    """A type's name without modules; types that share a name get that of their game or app in front."""
    return _WITH_MODULES.sub(r"\1.\2", name)


def _plainly(schema: Any) -> Any:
    """The schema with short names, and descriptions without the indentation of their source. Without what confuses
    generators of clients: titles, which types of several games share, and a boolean constant without a type."""
    if isinstance(schema, list):
        return [_plainly(each) for each in schema]
    if isinstance(schema, str):
        return _PLACE + _in_short(schema.removeprefix(_PLACE)) if schema.startswith(_PLACE) else schema
    if not isinstance(schema, dict):
        return schema
    found = {
        key: " ".join(value.split()) if key == "description" and isinstance(value, str) else _plainly(value)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }
    if {bool} == {type(each) for each in found.get("enum", ())}:
        found["type"] = "boolean"
    return found


# -- schema ----------------------------------------------------------------------------------------------
# Describes a match type for programs: its settings, actions and questions.


def game_line(game: AnyGame) -> shapes.GameLine:
    """Return a short description of a match type."""
    return filled(
        shapes.GameLine,
        game,
        players=shapes.PlayersOf(game.sizes.least, game.sizes.most, game.sizes.usual),
        schema=f"/api/v1/games/{game.slug}/schema/",
    )


def game_schema(game: AnyGame) -> shapes.GameSchema:
    """Return every setting with its default, the presets, and actions and questions as JSON Schemas."""
    defaults = game.read_config({}).write()
    return shapes.GameSchema(
        **asdict(game_line(game)),
        config=[_setting(setting) | {"default": defaults[setting.key]} for setting in game.settings],
        presets=game.presets,
        refusals=dict(game.refusals),
        actions=_schema_of(game.actions),
        questions=_schema_of(game.questions) if game.questions else None,
    )


def _schema_of(types: ActionTypes) -> dict[str, Any]:
    return msgspec.json.schema(one_of(types))


def _setting(setting: Setting) -> dict[str, Any]:
    described: dict[str, Any] = {"key": setting.key, "label": setting.label, "help": setting.help}
    match setting:
        case Whole():
            described |= {"kind": "whole", "minimum": setting.minimum, "maximum": setting.maximum}
        case Span():
            described |= {"kind": "time", "positive": setting.positive}
        case Flag():
            described |= {"kind": "flag"}
        case Choice():
            described |= {"kind": "choice", "choices": setting.choices}
        case Data():
            described |= {"kind": "data", "schema": msgspec.json.schema(setting.shape)}
        case _:
            described |= {"kind": "text"}
    return described


# -- samples ---------------------------------------------------------------------------------------------
# Sample actions as JSON, made from their types: for people, who read rather than validate.

TEXT, NUMBER = "…", 1
"""Placeholders for a text (a handle, a place, a name) and for a number."""


def sample_of(kind: type[msgspec.Struct]) -> str:
    """Return a sample body of such an action, with a value of the right type in each required field. Nested values
    without required fields show all their optional ones."""
    return json.dumps(_value(inspect.type_info(kind)), ensure_ascii=False)


def _value(of: Any) -> Any:
    match of:
        case inspect.StructType():
            tag = {of.tag_field: of.tag} if of.tag_field else {}
            needed = [field for field in of.fields if field.required] or ([] if tag else of.fields)
            return tag | {field.encode_name: _value(field.type) for field in needed}
        case inspect.DictType():
            return {_value(of.key_type): _value(of.value_type)}
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return [_value(of.item_type)]
        case inspect.TupleType():
            return [_value(each) for each in of.item_types]
        case inspect.UnionType():
            return _value(next(each for each in of.types if not isinstance(each, inspect.NoneType)))
        case inspect.LiteralType():
            return of.values[0]
        case inspect.EnumType():
            return next(iter(of.cls)).value
        case inspect.BoolType():
            return True
        case inspect.IntType() | inspect.FloatType():
            return NUMBER
        case inspect.StrType():
            return TEXT
    raise TypeError(f"there is no sample of {of}")
