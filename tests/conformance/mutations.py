"""Makes actions that nobody should send from actions that somebody might."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from matches.engine.actions import Action, ActionTypes
from matches.engine.draw import Draw

ODD_NUMBERS = (0, -1, 1, 2, 3, 7, 10**6, 10**30, -(10**30), True, False, None, "5", 2.5, 3.0, 1e3, float("nan"), [], {})
ODD_TEXTS = ("", "ann", "nobody", "A", "Z", "\ud800", "\x00", "Ω" * 300, None, 5, True, [], {})
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
NUMBERS = tuple(str(number) for number in range(1, 13))
ODD_WHOLES = (None, 5, "bid", [], True, {}, {"type": None}, {"type": 7}, {"type": "\ud800"}, {"type": "fly"})


def mutated(types: ActionTypes, action: Mapping[str, Any] | None, names: tuple[str, ...], draw: Draw) -> Any:
    """Return an action that differs from `action` (or a made-up one) in one place. `types` may be questions, too."""
    if draw.integer("whole", 20) == 0:
        return draw.choice("odd whole", ODD_WHOLES)
    raw = dict(action) if action is not None and draw.integer("fresh", 2) else made_up(types, names, draw)
    fields = [key for key in raw if key != "type"]
    kind = draw.integer("kind of change", 12)
    if kind == 0 and fields:
        del raw[draw.choice("dropped", fields)]
    elif kind == 1:
        raw[draw.choice("added", ("", "extra", "\ud800", "x" * 500))] = 1
    elif kind == 2:
        raw["type"] = draw.choice("other type", tuple(types))
    elif fields and kind < 7:
        field = draw.choice("changed", fields)
        raw[field] = _changed(raw[field], names, draw)
    return raw


def made_up(types: ActionTypes, names: tuple[str, ...], draw: Draw) -> dict[str, Any]:
    """Return an action of the right shape with random content."""
    kind = draw.choice("made up", tuple(types))
    raw: dict[str, Any] = {"type": kind}
    for name, required, type_ in _fields(types[kind]):
        if required or draw.integer(f"with {name}", 2):
            raw[name] = _value(type_, name, names, draw)
    return raw


@cache
def _fields(action: type[Action]) -> list[tuple[str, bool, inspect.Type]]:
    """Name, whether it is required, and type of each field. Cached, because msgspec computes them anew each time."""
    fields = msgspec.structs.fields(action)
    return [(field.name, field.required, inspect.type_info(field.type)) for field in fields]


def _value(kind: inspect.Type, purpose: str, names: tuple[str, ...], draw: Draw) -> Any:
    """A random value of this type; `purpose` keeps its draws apart from those of other places."""
    few = range(draw.integer(f"length {purpose}", 4))
    match kind:
        case inspect.UnionType():
            return _value(draw.choice(f"which {purpose}", kind.types), f"{purpose}?", names, draw)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return draw.integer(f"flag {purpose}", 2) == 1
        case inspect.IntType():
            return draw.integer(f"number {purpose}", 12)
        case inspect.DictType():
            keys = [str(_value(kind.key_type, f"{purpose} key {place}", names, draw)) for place in few]
            return {key: _value(kind.value_type, f"{purpose} {place}", names, draw) for place, key in enumerate(keys)}
        case inspect.StructType() | inspect.DataclassType():
            fields = [each for each in kind.fields if each.required or draw.integer(f"with {purpose} {each.name}", 2)]
            return {each.encode_name: _value(each.type, f"{purpose} {each.name}", names, draw) for each in fields}
        case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
            return [_value(kind.item_type, f"{purpose} {place}", names, draw) for place in few]
        case _:
            return draw.choice(f"text {purpose}", (*names, *LETTERS, *NUMBERS))


def _changed(value: Any, names: tuple[str, ...], draw: Draw) -> Any:
    if isinstance(value, dict) and value:
        key = draw.choice("inner key", sorted(value))
        return {**value, key: _changed(value[key], names, draw)}
    if isinstance(value, list) and value and draw.integer("inner", 2):
        place = draw.integer("inner place", len(value))
        return [*value[:place], _changed(value[place], names, draw), *value[place + 1 :]]
    if isinstance(value, list):
        return draw.choice("odd list", ([], [*value, *value], list(names), None, "ann", {}))
    if isinstance(value, str):
        return draw.choice("odd text", ODD_TEXTS if draw.integer("odd", 3) == 0 else (*names, *LETTERS))
    return draw.choice("odd number", ODD_NUMBERS) if draw.integer("odd", 3) == 0 else draw.integer("number", 25) - 2
