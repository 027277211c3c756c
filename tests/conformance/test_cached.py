"""`{% cached … %}` names all that its contents read: of every block of every game, in every phase.

While bots' matches are shown, each block is rendered every time, and every variable that it looks up is noted. Whatever
comes from outside the block must be one of the values that it names, or a part of one; and where these values are the
same as before, so must be what the block shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from django.template import Context
from django.template.base import FilterExpression, Variable

from genius_site.lean_templates import LeanExpression, LeanTemplate
from matches.engine.game import AnyGame
from matches.games import registry
from matches.pages.cached import CachedNode
from tests.conformance.staging import standings
from tests.conformance.subjects import WITH_FOLDERS, every_game
from tests.conformance.test_pages import pages_of
from tests.engine.tiny_game import GAME as TINY

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


@every_game
@pytest.mark.django_db
def test_a_cached_block_reads_nothing_but_the_values_that_it_names(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "all_games", lambda: {**WITH_FOLDERS, TINY.slug: TINY})
    with watching(monkeypatch) as watch:
        for standing in standings(game):
            for _ in pages_of(standing):
                pass
    assert watch.faults == set()
    assert watch.blocks


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("{% cached lot.name %}{{ lot.name }} {{ lot.price }}{% endcached %}", "lot.price"),
        ("{% cached lot.name %}{% if lot.price > 3 %}dear{% endif %}{% endcached %}", "lot.price"),
        ("{% cached lot.name %}{% for each in bids %}{{ each }}{% endfor %}{% endcached %}", "bids"),
        ("{% cached lot.name %}{% with a=bids %}{{ a.0 }}{% endwith %}{% endcached %}", "bids"),
        ("{% cached bids|length %}{{ bids.0 }}{% endcached %}", "bids.0"),
        ("{% cached bids|yesno %}{{ bids.0 }}{% endcached %}", "bids.0"),
        ('{% cached lot.name %}{% who "ann" %}{% endcached %}', "people"),
    ],
)
def test_a_planted_value_that_is_not_named_is_found(source: str, reads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    template = LeanTemplate("{% load match_tags %}" + source)
    context = {"lot": {"name": "Z", "price": 4}, "bids": [1, 2], "people": {}}
    with watching(monkeypatch) as watch:
        template.render(Context(context))
    assert [fault.rpartition(" ")[2] for fault in watch.faults] == [reads]


@pytest.mark.parametrize(
    "source",
    [
        "{% cached lot %}{{ lot.name }}{% if lot.price %}{{ lot.price }}{% endif %}{% endcached %}",
        "{% cached bids lot.name %}{% for each in bids %}{{ each }}{{ forloop.counter }}{% endfor %}{% endcached %}",
        "{% cached bids|length %}{{ bids|length }}{% endcached %}",
        '{% cached lot.name|equals:"Z" %}{% if lot.name == "Z" %}last{% endif %}{% endcached %}',
        '{% cached people.key %}{% who "ann" %}{% endcached %}',
    ],
)
def test_what_is_named_is_no_fault(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    template = LeanTemplate("{% load match_tags %}" + source)
    lot = type("Lot", (), {"name": "Z", "price": 4})()
    with watching(monkeypatch) as watch:
        template.render(Context({"lot": lot, "bids": (1, 2), "people": {}}))
    assert watch.faults == set()
    assert watch.blocks


def test_the_same_values_with_another_text_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    template = LeanTemplate("{% load match_tags %}{% cached lot %}{{ lot.price }}{% endcached %}")

    class Lot:
        price = 1

    lot = Lot()
    with watching(monkeypatch) as watch:
        template.render(Context({"lot": lot}))
        lot.price = 2
        template.render(Context({"lot": lot}))
    assert [fault.rpartition(": ")[2] for fault in watch.faults] == ["the same values show something else"]
