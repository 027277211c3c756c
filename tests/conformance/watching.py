"""Watches what blocks of `{% cached … %}` look up while something is shown, and what they show for the same values.

Each block is rendered every time, and every variable that it looks up is noted. Whatever comes from outside the block
must be one of the values that it names, or a part of one; and where these values are the same as before, so must be
what the block shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from django.template import Context
from django.template.base import FilterExpression, Variable

from genius_site.lean_templates import LeanExpression
from matches.pages.cached import CachedNode

Path = tuple[str, ...]
# What a tag takes from the context by itself, and the value that stands for it. Times also say how fast the clock runs.
STANDS_FOR = {
    "people": ("people", "key"),
    "times": ("times", "key"),
    "now": ("times", "key"),
    "match": ("times", "key"),
    "form_state": ("form_state", "key"),
}


class Watch:
    """What blocks look up, and what they show for the same values."""

    def __init__(self) -> None:
        self.faults: set[str] = set()
        self.blocks: set[int] = set()
        self._shown: dict[object, str] = {}
        self._block: tuple[CachedNode, int, object] | None = None
        self._resolving = 0

    def render(self, node: CachedNode, context: Context) -> Any:
        key = (id(node), *(each.resolve(context) for each in node._keys))
        self.blocks.add(id(node))
        outer, self._block = self._block, (node, len(context.dicts), context.dicts[-1])
        try:
            text = node.nodelist.render(context)
        finally:
            self._block = outer
        try:
            known = self._shown.setdefault(key, text)
        except TypeError:
            try:
                known = self._shown.setdefault(msgspec.msgpack.encode(key), text)
            except TypeError:
                return text  # it is not kept
        if known != text:
            self.faults.add(f"{_name(node)}: the same values show something else")
        return text

    def looked_up(self, context: Any, path: Path, token: str) -> None:
        if self._block is None or not isinstance(context, Context):
            return
        node, depth, bottom = self._block
        mine = len(context.dicts) >= depth and context.dicts[depth - 1] is bottom
        if not mine or any(path[0] in scope for scope in context.dicts[depth:]):
            return  # made within the block
        if path[0] not in context or path[0] in ("True", "False", "None"):
            return
        if not _is_named(path, token, node):
            self.faults.add(f"{_name(node)}: reads {'.'.join(path)}")


def _name(node: CachedNode) -> str:
    return "cached " + " ".join(each.token for each in node._keys)


def _is_named(path: Path, token: str, node: CachedNode) -> bool:
    for key in node._keys:
        if token == key.token:
            return True
        compares = [name.__name__ for name, _ in key.filters]
        for named in _paths(key):
            if named == STANDS_FOR.get(path[0]):
                return True
            # One that is only compared, or only replaced where it is missing, is known as well as without the filter.
            if set(compares) <= {"equals", "default_if_none"} and path[: len(named)] == named:
                return True
            if compares == ["yesno"] and path == named:
                return True  # whether there is one; nothing of it
    return False


def _paths(expression: FilterExpression) -> Iterator[Path]:
    for each in (expression.var, *(arg for _, args in expression.filters for is_var, arg in args if is_var)):
        if isinstance(each, Variable) and each.lookups:
            yield each.lookups


@contextmanager
def watching(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    watch = Watch()
    resolve, getitem = LeanExpression.resolve, Context.__getitem__

    def resolved(self: LeanExpression, context: Any, *args: Any, **more: Any) -> Any:
        for path in _paths(self):
            watch.looked_up(context, path, self.token)
        watch._resolving += 1
        try:
            return resolve(self, context, *args, **more)
        finally:
            watch._resolving -= 1

    def got(self: Context, name: Any) -> Any:
        if not watch._resolving and name in STANDS_FOR:
            watch.looked_up(self, (name,), name)
        return getitem(self, name)

    with monkeypatch.context() as patch:
        patch.setattr(CachedNode, "render", lambda node, context: watch.render(node, context))
        patch.setattr(LeanExpression, "resolve", resolved)
        patch.setattr(Context, "__getitem__", got)
        yield watch
