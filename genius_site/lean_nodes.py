"""Blocks of lean templates (`lean_templates`): what Django's own render, with fewer steps for each part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.template import Context, VariableDoesNotExist
from django.template.base import Node, NodeList, TextNode
from django.template.defaulttags import ForNode, IfNode, TemplateLiteral, WithNode
from django.utils.safestring import SafeString

Condition = Callable[[Context], Any]


class LeanNodes(NodeList):
    """What a template or a block consists of. Only with DEBUG do errors need to say where they are."""

    _parts: list[str | Node] | None = None

    def render(self, context: Context) -> SafeString:
        parts = self._parts
        if parts is None:
            parts = self._parts = [node.s if type(node) is TextNode else node for node in self]
        return SafeString("".join([part if type(part) is str else part.render(context) for part in parts]))  # type: ignore[union-attr]


class LeanIf(IfNode):
    """`{% if %}`, its conditions as functions."""

    _cases: list[tuple[Condition | None, NodeList]] | None = None

    def render(self, context: Context) -> SafeString | str:
        cases = self._cases
        if cases is None:
            found = [(each and _function_of(each), nodes) for each, nodes in self.conditions_nodelists]
            cases = self._cases = cast("list[tuple[Condition | None, NodeList]]", found)
        for condition, nodes in cases:
            try:
                holds = condition is None or condition(context)
            except VariableDoesNotExist:
                holds = False
            if holds:
                return nodes.render(context)
        return ""


class LeanWith(WithNode):
    """`{% with %}`."""

    def render(self, context: Context) -> SafeString:
        context.dicts.append({name: each.resolve(context) for name, each in self.extra_context.items()})
        try:
            return self.nodelist.render(context)
        finally:
            context.dicts.pop()


class Loop(dict[str, Any]):
    """`forloop`: counts what a template asks for."""

    def __init__(self, outer: Any, size: int) -> None:
        super().__init__(parentloop=outer)
        self.at, self.size = 0, size

    def __missing__(self, name: str) -> Any:
        count = _COUNTS.get(name)
        if count is None:
            raise KeyError(name)
        return count(self)


_COUNTS: dict[str, Callable[[Loop], Any]] = {
    "counter0": lambda loop: loop.at,
    "counter": lambda loop: loop.at + 1,
    "revcounter": lambda loop: loop.size - loop.at,
    "revcounter0": lambda loop: loop.size - loop.at - 1,
    "first": lambda loop: loop.at == 0,
    "last": lambda loop: loop.at == loop.size - 1,
}


class LeanFor(ForNode):
    """`{% for each in values %}`; loops of several variables are Django's."""

    def render(self, context: Context) -> SafeString | str:
        if len(self.loopvars) > 1:
            return super().render(context)
        sequence: Any = self.sequence
        nodes: Any = self.nodelist_loop
        nothing: Any = self.nodelist_empty
        scope: dict[str, Any] = {}
        context.dicts.append(scope)
        try:
            values = sequence.resolve(context, ignore_failures=True)
            if values is None:
                values = ()
            elif not hasattr(values, "__len__"):
                values = list(values)
            if not len(values):
                return nothing.render(context)  # type: ignore[no-any-return]
            loop = scope["forloop"] = Loop(context.get("forloop", {}), len(values))
            name, found = self.loopvars[0], []
            for loop.at, scope[name] in enumerate(reversed(values) if self.is_reversed else values):
                found.append(nodes.render(context))
            return SafeString("".join(found))
        finally:
            context.dicts.pop()


# -- conditions ----------------------------------------------------------------------------------


def _function_of(token: Any) -> Condition:
    """A part of a condition, as a function that says the same as its `eval`."""
    if type(token) is TemplateLiteral:
        value: Any = token.value
        return lambda context: value.resolve(context, True)
    make = _OPERATORS.get(token.id)
    if make is None:
        return token.eval  # type: ignore[no-any-return]
    return make(*(_function_of(each) for each in (token.first, token.second) if each is not None))


def _not(first: Condition) -> Condition:
    def evaluate(context: Context) -> Any:
        try:
            return not first(context)
        except Exception:
            return False

    return evaluate


def _and(first: Condition, second: Condition) -> Condition:
    def evaluate(context: Context) -> Any:
        try:
            return first(context) and second(context)
        except Exception:
            return False

    return evaluate


def _or(first: Condition, second: Condition) -> Condition:
    def evaluate(context: Context) -> Any:
        try:
            return first(context) or second(context)
        except Exception:
            return False

    return evaluate


def _compared(compare: Callable[[Any, Any], Any]) -> Callable[..., Condition]:
    def make(first: Condition, second: Condition) -> Condition:
        def evaluate(context: Context) -> Any:
            try:
                return compare(first(context), second(context))
            except Exception:
                return False

        return evaluate

    return make


_OPERATORS: dict[str, Callable[..., Condition]] = {
    "not": _not,
    "and": _and,
    "or": _or,
    "in": _compared(lambda a, b: a in b),
    "not in": _compared(lambda a, b: a not in b),
    "is": _compared(lambda a, b: a is b),
    "is not": _compared(lambda a, b: a is not b),
    "==": _compared(lambda a, b: a == b),
    "!=": _compared(lambda a, b: a != b),
    ">": _compared(lambda a, b: a > b),
    ">=": _compared(lambda a, b: a >= b),
    "<": _compared(lambda a, b: a < b),
    "<=": _compared(lambda a, b: a <= b),
}
