"""JSON Schemas of the API's types, and of the views, actions and questions of all games, by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Union

import msgspec

from matches.api import shapes
from matches.engine.actions import ActionTypes
from matches.engine.game import AnyGame
from matches.engine.ledger import BLOOD_GARNET
from matches.games.registry import all_games

Json = dict[str, Any]

_PLACE = "#/components/schemas/"
_WITH_MODULES = re.compile(r"(?:matches\.games\.)?(\w+)\.(?:\w+\.)*(\w+)")


class Components:
    """The schemas of some types: `of` gives the one of a type, `schemas` all that they refer to, by name. Raises
    `ValueError` for two types of an app (or game) that have the same name."""

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
        """The schema of one of the types."""
        return self._known[kind]

    def _allow_blood_garnets(self, game: AnyGame) -> None:
        """They are exact, so they come as text; the rules do not know them."""
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
    """A union of these types."""
    return Union[tuple(types.values())]  # noqa: UP007  (made at run time)


def _in_short(name: str) -> str:
    """Types of the same name get that of their game or app, without modules."""
    return _WITH_MODULES.sub(r"\1.\2", name)


def _plainly(schema: Any) -> Any:
    """The same with short names, and descriptions without the indentation of their source."""
    if isinstance(schema, list):
        return [_plainly(each) for each in schema]
    if isinstance(schema, str):
        return _PLACE + _in_short(schema.removeprefix(_PLACE)) if schema.startswith(_PLACE) else schema
    if not isinstance(schema, dict):
        return schema
    return {
        key: " ".join(value.split()) if key == "description" and isinstance(value, str) else _plainly(value)
        for key, value in schema.items()
    }
