"""Turns the options of a slash command into an action as JSON, by the types of the action's fields.

Options are single values, so a field with several values is typed as one text:

    names                ann, bob
    names with amounts   Z=3, V=2
    names with anything  bid=7; target=bob; year="1984"; cards=[ann, bob]; split={x=4, y=6}
    names with several   a: gold=2 silver=1; b: bronze=4
    several with fields  item=ghost auction=a coin=gold; item=spy

The result is not judged here: the rules do that, as for any other action.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import inspect

from matches.engine.actions import Action

_ENDS = re.compile(r"[,;\n]")

LONGEST = 2000
"""The longest option; no action of any game needs as much."""

_DIGITS = "0123456789"

NAMES = "Names, with commas between them: ann, bob"
AMOUNTS = "Names and amounts: Z=3, V=2"
MIXED = 'Write ; between fields: bid=7; target=bob; year="1984"; cards=[ann, bob]; split={x=4, y=6}'
PARTS = "For example a: gold=2 silver=1; b: bronze=4"
ROWS = "Write = in each field and ; between rows"


class NotRead(Exception):
    """An option that cannot be read. The text is a sentence for the person who typed it."""


def fields_of(kind: type[Action]) -> tuple[inspect.Field, ...]:
    """Return the fields of an action, required ones first."""
    described = inspect.type_info(kind)
    fields = described.fields if isinstance(described, inspect.StructType) else ()
    return tuple(sorted(fields, key=lambda field: not field.required))


def bare(kind: inspect.Type) -> inspect.Type:
    """Return the type of a field without “or None”."""
    if isinstance(kind, inspect.UnionType):
        return next(each for each in kind.types if not isinstance(each, inspect.NoneType))
    return kind


def read_action(kind: type[Action], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the action that the options describe; their names are those of fields in lower case. Raises `NotRead`."""
    action: dict[str, Any] = {"type": str(kind.__struct_config__.tag)}
    for field in fields_of(kind):
        value = given.get(field.encode_name.lower())
        if isinstance(value, str) and len(value) > LONGEST:
            raise NotRead(f"{field.encode_name}: That is {len(value)} characters long, but the limit is {LONGEST}.")
        if value is not None:
            action[field.encode_name] = _read(bare(field.type), value, field.encode_name)
    return action


def spelled(value: Any, names: list[str], field: str) -> Any:
    """Return a field's value with names spelled as in `names`, since people type lower case for capitals. Other texts
    stay. Raises `NotRead`."""
    if isinstance(value, str):
        alike = [name for name in names if name.casefold() == value.casefold()]
        return alike[0] if len(alike) == 1 else value
    if isinstance(value, dict):
        return _once(((spelled(key, names, field), inner) for key, inner in value.items()), field)
    if isinstance(value, list):
        return [spelled(each, names, field) if isinstance(each, str) else each for each in value]
    return value


def _once(pairs: Iterable[tuple[str, Any]], name: str) -> dict[str, Any]:
    """The pairs as a dict. Refuses duplicates, of which nobody can say which is meant."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise NotRead(f"{name}: “{key[:40]}” appears twice. Type it once.")
        found[key] = value
    return found


def _read(kind: inspect.Type, value: Any, name: str) -> Any:
    if isinstance(kind, inspect.IntType | inspect.BoolType) or not isinstance(value, str):
        return value
    if isinstance(kind, inspect.DictType):
        within = bare(kind.value_type)
        if _is_mixed(kind):
            return _once(_mixed(value, name), name)
        pairs = _parts(value, name) if isinstance(within, inspect.StructType) else _amounts(value, name)
        return _once(pairs, name)
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        if isinstance(bare(kind.item_type), inspect.StructType):
            return [_row(part.split(), name) for part in _filled(value.split(";"))]
        return list(_filled(_ENDS.split(value)))
    return value.strip()


def _filled(texts: list[str]) -> Iterator[str]:
    return (text.strip() for text in texts if text.strip())


def _amounts(text: str, name: str) -> Iterator[tuple[str, Any]]:
    for part in _filled(_ENDS.split(text)):
        head = part.rstrip(_DIGITS)
        key, amount = head.rstrip(), part[len(head) :]
        if key.endswith(("=", ":")):
            key, head = key[:-1].rstrip(), ""
        if not key or key == head or "=" in key or ":" in key or not 1 <= len(amount) <= 15:
            raise NotRead(f"{name}: I cannot read “{part[:40]}”. {AMOUNTS}")
        yield key, int(amount)


def _is_mixed(kind: inspect.DictType) -> bool:
    """Whether its values are numbers or texts."""
    types = kind.value_type.types if isinstance(kind.value_type, inspect.UnionType) else ()
    return any(isinstance(each, inspect.StrType) for each in types)


def _mixed(text: str, name: str) -> Iterator[tuple[str, Any]]:
    for part in _filled(re.split(r"[;\n]", text)):
        key, _, value = (each.strip() for each in part.partition("="))
        if not (key and value):
            raise NotRead(f"{name}: I cannot read “{part[:40]}”. {MIXED}")
        yield key, _any(value, name)


def _any(text: str, name: str) -> Any:
    """A whole number, a text (in quotes, if it looks like something else), several names, or names with amounts."""
    inner = text[1:-1].strip()
    if re.fullmatch(r"-?[0-9]{1,15}", text):
        return int(text)
    match text[0], text[-1]:
        case ('"' | "“" | "”", '"' | "“" | "”") if inner:
            return inner
        case "[", "]":
            return list(_filled(inner.split(",")))
        case "{", "}":
            return _once(_amounts(inner, name), name)
    return text


def _parts(text: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for part in _filled(text.split(";")):
        key, colon, rest = part.partition(":")
        if not colon:
            raise NotRead(f"{name}: I cannot read “{part[:40]}”. {PARTS}")
        yield key.strip(), _row(rest.replace(",", " ").split(), name)


def _row(words: list[str], name: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise NotRead(f"{name}: I cannot read “{word[:40]}”. {ROWS}")
        row[key] = int(value) if value.isascii() and value.isdigit() and len(value) <= 15 else value
    return row


def names_keys(kind: inspect.Type) -> bool:
    """Whether a field's text has several names, which are completed one by one."""
    return isinstance(kind, inspect.DictType | inspect.VarTupleType | inspect.ListType)


def completed(kind: inspect.Type, typed: str, names: list[str], most: int) -> list[str]:
    """Return completions of a text whose last name is being typed. `names`: all possible names."""
    before, last = "", typed
    if names_keys(kind):
        place = max(typed.rfind(end) for end in ",;\n") + 1
        before, last = typed[:place], typed[place:]
        before = f"{before.rstrip()} " if before else ""
    ends = ""
    if isinstance(kind, inspect.DictType):
        ends = ": " if isinstance(bare(kind.value_type), inspect.StructType) else "="
        if "=" in last or ":" in last:  # an amount is being typed
            return [typed]
    wanted = last.strip().casefold()
    return [f"{before}{name}{ends}" for name in names if name.casefold().startswith(wanted)][:most]


def shown_type(kind: inspect.Type) -> str:
    """Say how to type a field; empty if it is one plain value."""
    if isinstance(kind, inspect.DictType) and _is_mixed(kind):
        return MIXED
    if isinstance(kind, inspect.DictType):
        return PARTS if isinstance(bare(kind.value_type), inspect.StructType) else AMOUNTS
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return ROWS if isinstance(bare(kind.item_type), inspect.StructType) else NAMES
    return ""
