"""What an action looks like as JSON, made from its type: for those who read rather than validate."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import inspect

TEXT, NUMBER = "…", 1
"""What stands for a text (a handle, a place, a name), and for a number."""


def sample_of(kind: type[msgspec.Struct]) -> str:
    """The body of such an action with a value of the right type in each field that it must have; in what is inside of
    it and has no such field, in each that it may have."""
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
