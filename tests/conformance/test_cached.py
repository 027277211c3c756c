"""`{% cached … %}` names all that its contents read: the controls of what `test_pages` watches."""

from __future__ import annotations

import pytest
from django.template import Context

from genius_site.lean_templates import LeanTemplate
from tests.conformance.watching import watching


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
