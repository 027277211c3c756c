"""Django's templates with less work for each value: the same syntax, the same text.

A board and its panels show thousands of values, nearly all of them attributes of structs, and Django is made for any
object: it tries each name as a key first, asks of every text whether it may be a translation, and looks an included
template up again for each context. The classes here take the short way where it leads to the same, and Django's where
it may not: for methods, names that are missing, translations, and everything that is rare.

A test renders every page of every game both ways.
"""

from __future__ import annotations

from html import escape
from typing import Any, cast

from django.template import Context, Template
from django.template.base import (
    FilterExpression,
    Lexer,
    Node,
    NodeList,
    Parser,
    Token,
    Variable,
    VariableNode,
    render_value_in_context,
)
from django.template.defaulttags import ForNode, IfNode, WithNode
from django.template.library import SimpleNode
from django.template.loader_tags import IncludeNode, construct_relative_path
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from genius_site.lean_nodes import LeanFor, LeanIf, LeanNodes, LeanWith

MISSING = object()
OTHERWISE = object()

_MARKS = ("expects_localtime", "needs_autoescape", "is_safe")
"""What filters are marked with that ask for more than values."""


class LeanTemplate(Template):
    """A template of such parts. With DEBUG it is Django's own, whose errors say where they are."""

    def compile_nodelist(self) -> NodeList:
        if self.engine.debug:
            return super().compile_nodelist()
        engine = self.engine
        parser = LeanParser(
            Lexer(self.source).tokenize(), engine.template_libraries, engine.template_builtins, self.origin
        )
        nodes = parser.parse()
        self.extra_data = parser.extra_data
        return nodes


class LeanParser(Parser):
    """Gives every tag lean expressions, and puts lean nodes in the place of some of Django's."""

    def compile_filter(self, token: str) -> FilterExpression:
        return LeanExpression(token, self)

    def parse(self, parse_until: Any = None) -> NodeList:
        nodes = super().parse(parse_until)
        nodes.__class__ = LeanNodes
        return nodes

    def extend_nodelist(self, nodelist: NodeList, node: Node, token: Token) -> None:
        if (lean := _LEAN.get(type(node))) is not None:
            node.__class__ = lean
        super().extend_nodelist(nodelist, node, token)


class LeanVariable(Variable):
    """A name, and the attributes, keys and indices after it."""

    __slots__ = ("_first", "_others")

    def __init__(self, var: str) -> None:
        super().__init__(var)
        first, *others = self.lookups or ("",)
        self._first = first
        self._others = tuple((name, int(name) if name.isdecimal() else None) for name in others)

    def resolve(self, context: Any) -> Any:
        value = self.look_up(context)
        return super().resolve(context) if value is MISSING or value is OTHERWISE else value

    def look_up(self, context: Any) -> Any:
        """The value; `MISSING` where there is none, and `OTHERWISE` where only Django knows."""
        first = self._first
        if not first or not isinstance(context, Context):
            return OTHERWISE
        for scope in reversed(context.dicts):
            if first in scope:
                return self._followed(scope[first])
        return MISSING

    def _followed(self, value: Any) -> Any:
        """What the other names lead to."""
        for name, index in self._others:
            kind = type(value)
            way = _ways.get(kind) or _way_into(kind)
            try:
                if way is _ATTRIBUTES:
                    value = getattr(value, name)
                elif way is _KEYS:
                    value = value[name]
                elif way is _PLACES:
                    value = getattr(value, name) if index is None else value[index]
                else:
                    return MISSING if value is None else OTHERWISE
            except (AttributeError, LookupError, TypeError, ValueError):
                return OTHERWISE
        return OTHERWISE if callable(value) else value


_ATTRIBUTES, _KEYS, _PLACES, _OTHER = "attributes", "keys", "places", "other"
_ways: dict[type, str] = {type(None): _OTHER}


def _way_into(kind: type) -> str:
    """How a name leads on from objects of a class."""
    if any("__call__" in vars(each) for each in kind.__mro__):
        way = _OTHER
    elif not hasattr(kind, "__getitem__"):
        way = _ATTRIBUTES
    else:
        way = _KEYS if issubclass(kind, dict) else _PLACES if issubclass(kind, str | list | tuple) else _OTHER
    _ways[kind] = way
    return way


class LeanExpression(FilterExpression):
    """A value and its filters."""

    __slots__ = ("_is_constant", "_steps")

    def __init__(self, token: str, parser: Parser) -> None:
        super().__init__(token, parser)
        if self.is_var:
            self.var = LeanVariable(self.var.var)
        for _, arguments in self.filters:
            arguments[:] = [(known, LeanVariable(each.var) if known else each) for known, each in arguments]
        self._steps, self._is_constant = self._short_way(), not self.is_var and not self.filters

    def _short_way(self) -> list[tuple[Any, list[Any]]] | None:
        """Each filter and its arguments; None where one of them asks for more than what variables lead to."""
        if not self.is_var or any(getattr(function, each, False) for function, _ in self.filters for each in _MARKS):
            return None
        if not all(known for _, arguments in self.filters for known, _ in arguments):
            return None
        return [(function, [each for _, each in arguments]) for function, arguments in self.filters]

    def resolve(self, context: Any, ignore_failures: bool = False) -> Any:
        if self._steps is None:
            # `translate` makes a variable of its text, after this was made.
            is_constant = self._is_constant and not self.is_var
            return self.var if is_constant else super().resolve(context, ignore_failures)
        value = self.var.look_up(context)
        if value is MISSING:
            if not ignore_failures and context.template.engine.string_if_invalid:
                return super().resolve(context)
            value = None if ignore_failures else ""
        elif value is OTHERWISE:
            return super().resolve(context, ignore_failures)
        for function, arguments in self._steps:
            value = function(value, *[each.resolve(context) for each in arguments])
        return value


class LeanValue(VariableNode):
    """`{{ value }}`."""

    def render(self, context: Context) -> str:
        value: Any = self.filter_expression.resolve(context)
        kind = type(value)
        if kind is SafeString:
            return cast("SafeString", value)
        if kind is str and context.autoescape:
            return escape(value)
        if kind is int and context.use_l10n is False:
            return str(value)
        return render_value_in_context(value, context)


class LeanTag(SimpleNode):
    """A simple tag."""

    def render(self, context: Context) -> str:
        arguments, named = self.get_resolved_arguments(context)
        output = self.func(*arguments, **named)
        if self.target_var is not None:
            context[self.target_var] = output
            return ""
        return output if type(output) is SafeString or not context.autoescape else conditional_escape(output)


class LeanInclude(IncludeNode):
    """`{% include "name" %}`. What is included is found once: the loader keeps, and forgets, all templates together."""

    _found: Template | None = None

    def render(self, context: Context) -> SafeString:
        found = self._template(context)
        if found is None or self.isolated_context:
            return super().render(context)
        within = context.render_context
        values = {name: each.resolve(context) for name, each in self.extra_context.items()}
        # As `Template.render` does it, without a generator for each.
        before, within.template = within.template, found
        within.push()
        try:
            context.dicts.append(values)
            try:
                return found.nodelist.render(context)
            finally:
                context.dicts.pop()
        finally:
            within.template = before
            within.pop()

    def _template(self, context: Context) -> Template | None:
        """The one of that name; None where the name is known only now."""
        if self._found is None and not self.template.is_var and not self.template.filters:
            name = construct_relative_path(cast("str", self.origin.template_name), self.template.var)
            self._found = cast("Template", context.template).engine.get_template(name)
        return self._found


_LEAN: dict[type[Node], type[Node]] = {
    VariableNode: LeanValue,
    SimpleNode: LeanTag,
    IncludeNode: LeanInclude,
    IfNode: LeanIf,
    ForNode: LeanFor,
    WithNode: LeanWith,
}
