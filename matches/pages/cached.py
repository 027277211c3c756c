"""The block of the tag `cached`: what it shows for each set of values that it names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from django.template import Context
from django.template.base import FilterExpression, Node, NodeList
from django.utils.safestring import SafeString

from matches.infra.kept import Kept
from matches.pages.context import MatchTimes, People
from matches.pages.noted import NotedTimes

_encode = msgspec.msgpack.Encoder().encode


class CachedNode(Node):
    """The contents of `cached`, and what they looked like lately."""

    _MOST = 4_000_000  # characters: a hundred boards that are watched at the same time have room

    def __init__(self, nodelist: NodeList, keys: list[FilterExpression]) -> None:
        self.nodelist = nodelist
        self._keys = keys
        self._values = [_values_of(name, tuple(each)) for name, each in groupby(keys, _struct_of)]
        self._texts: Kept[tuple[Any, ...], SafeString] = Kept(self._MOST, len)

    def render(self, context: Context) -> SafeString:
        key = tuple(values(context) for values in self._values)
        try:
            text = self._texts.get(key)
        except TypeError:  # a dict, say, which cannot be looked for, but what is in it
            try:
                text = self._texts.get(key := (_encode(key),))
            except TypeError:
                return self.nodelist.render(context)
        if text is None:
            text = self.nodelist.render(context)
            self._texts.keep(key, text)
        return text


def _struct_of(key: FilterExpression) -> str:
    """The name before the dot of a key such as `seat.player`; empty for any other."""
    parts = key.token.split(".")
    return parts[0] if len(parts) == 2 and key.token.replace(".", "").isidentifier() else ""


def _values_of(name: str, keys: tuple[FilterExpression, ...]) -> Callable[[Context], Any]:
    """Looks up keys. Those that are attributes of one object are looked up at once: a board has hundreds of them."""

    def one_by_one(context: Context) -> Any:
        return tuple(each.resolve(context) for each in keys)

    if not name:
        return one_by_one
    fields = tuple(each.token.partition(".")[2] for each in keys)
    at_once = attrgetter(*fields)

    def looked_up(context: Context) -> Any:
        source = context.get(name)
        kind: Any = type(source)
        return at_once(source) if _has_attributes(kind, fields) else one_by_one(context)

    return looked_up


@cache
def _has_attributes(kind: type, names: tuple[str, ...]) -> bool:
    """Whether a template that names these finds attributes of the object, neither entries nor what methods give."""
    if issubclass(kind, msgspec.Struct):
        return set(names) <= set(kind.__struct_fields__)
    return kind in (People, MatchTimes, NotedTimes)
