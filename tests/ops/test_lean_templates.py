"""Lean templates and Django's own: the same text for everything that a value may be."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec
import pytest
from django.template import Context, Engine, Template, engines
from django.template.loader import get_template
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from genius_site.lean_templates import OTHERWISE, LeanTemplate, LeanVariable


class Seat(msgspec.Struct, frozen=True):
    name: str
    amount: int | None = None

    @property
    def twice(self) -> int | None:
        return self.amount and 2 * self.amount

    def shout(self) -> str:
        return f"{self.name}!"

    def needs(self, more: str) -> str:
        return more


class Pair(NamedTuple):
    left: str
    right: str


class Keyed:
    """Has keys and attributes of the same names."""

    name = "attribute"

    def __getitem__(self, key: str) -> str:
        return {"name": "key"}[key]


def forget() -> str:
    return "forgotten"


forget.alters_data = True  # type: ignore[attr-defined]

VALUES: dict[str, Any] = {
    "seat": Seat("<U>", 3),
    "bare": Seat("A"),
    "none": None,
    "text": "<b> & 'c'",
    "safe": mark_safe("<b>"),
    "number": 12345,
    "flag": True,
    "ratio": 1.5,
    "price": Decimal("2.50"),
    "at": datetime(2026, 3, 1, 12, tzinfo=UTC),
    "seats": [Seat("A", 1), Seat("B", 2)],
    "pair": Pair("<l>", "r"),
    "rows": {"U": 1, "items": "a key", 2: "two"},
    "keyed": Keyed(),
    "lazy": gettext_lazy("Yes"),
    "call": lambda: Seat("called", 7),
    "forget": forget,
    "kind": Seat,
    "template_name": "the context has this too",
}

SOURCES = [
    *(f"{{{{ {name} }}}}" for name in VALUES),
    *(
        f"{{{{ {path} }}}}"
        for path in (
            "seat.name",
            "seat.amount",
            "seat.twice",
            "seat.shout",
            "seat.needs",
            "seat.missing",
            "seat.name.upper",
            "bare.amount",
            "bare.twice",
            "bare.amount.real",
            "none.any",
            "nothing",
            "nothing.any",
            "seats.0.name",
            "seats.5.name",
            "seats.name",
            "seats.0.1",
            "pair.left",
            "pair.1",
            "pair.9",
            "rows.U",
            "rows.items",
            "rows.keys",
            "rows.2",
            "rows.gone",
            "keyed.name",
            "keyed.gone",
            "call.name",
            "call.amount",
            "text.0",
            "text.upper",
            "kind.name",
            "at.year",
            "at.isoformat",
            "autoescape",
            "dicts",
            "push",
            "True",
            "None",
            '"<quoted>"',
            "12",
            "1.50",
        )
    ),
    *(
        f"{{{{ {each} }}}}"
        for each in (
            "seat.name|lower",
            "nothing|default:seat.name",
            "none|default_if_none:seat.amount",
            "seats|length",
            "seat.amount|add:bare.amount",
            "text|safe",
            "safe|upper",
            "at|date:rows.U",
            "seats|slice:pair.1",
            "none.a|yesno",
        )
    ),
    "{% if nothing %}a{% elif none.any %}b{% elif seat.missing %}c{% else %}d{% endif %}",
    "{% if nothing == None %}a{% endif %}{% if seat.amount > 2 and not bare.amount %}b{% endif %}",
    *(
        f"{{% if {each} %}}a{{% else %}}b{{% endif %}}"
        for each in (
            "not nothing",
            "not seat.amount",
            "seat.missing.any",
            "number in text",
            "number not in none",
            "'U' in rows and pair",
            "nothing or call.amount > 6",
            "none < 3",
            "number >= 12345 and number <= 12345",
            "none is None",
            "none is not None",
            "text != text",
            "not none < 3 or text",
            "at|date:rows.U",
            "keyed.name == 'key'",
        )
    ),
    "{% if seat.amount in rows or seat.name == text %}a{% else %}b{% endif %}",
    "{% for each in seats %}{{ forloop.counter }}{{ each.name }}{{ forloop.parentloop.counter }}{% endfor %}",
    "{% for a in seats %}{% for b in pair reversed %}{{ forloop.counter0 }}{{ forloop.parentloop.counter }}"
    "{% if forloop.first %}f{% endif %}{% if forloop.last %}l{% endif %}{{ forloop.revcounter }}"
    "{{ forloop.revcounter0 }}{{ forloop.gone }}{% endfor %}{% endfor %}{{ forloop.counter }}",
    "{% for a in nothing %}{% endfor %}{% for a in none %}{% empty %}e{% endfor %}{% for a in number %}{% endfor %}",
    "{% for a in seats %}{% ifchanged %}c{% endifchanged %}{% cycle 'x' 'y' %}{% with b=a %}{{ b.name }}{% endwith %}"
    "{{ b }}{% endfor %}{{ a }}",
    "{% for key, value in rows.items %}{{ key }}{% endfor %}{% for each in nothing %}{% empty %}e{% endfor %}",
    "{% with seat=bare name=seat.name %}{{ seat.name }}{{ name }}{{ seat.amount }}{% endwith %}{{ name }}",
    "{% autoescape off %}{{ text }}{{ seat.name }}{{ number }}{% endautoescape %}",
    "{% load l10n %}{% localize on %}{{ number }}{{ ratio }}{% endlocalize %}",
    "{% load tz %}{% timezone 'Asia/Tokyo' %}{{ at }}{% endtimezone %}",
    "{% firstof nothing seat.missing text %}{% widthratio seat.amount 1 2 %}",
    "{% load components %}{% amount 'chip' seat.amount %}{% icon 'check' seat.name %}{% amount 'chip' 2 as a %}{{ a }}",
    '{% include "components/amount.html" with value=seat.name unit=text icon="chip" %}{{ value }}',
    '{% include "components/amount.html" with value=seat.name only %}',
    "{% for each in seats %}{% include 'components/act_error.html' with error=each.name id=each.amount %}{% endfor %}",
    "{% load i18n %}{% translate 'Find' %}{% translate seat.name %}{% translate 'Yes' as a %}{{ a }}",
    "{% load i18n %}{% blocktranslate with a=seat.name %}{{ a }} {{ text }}{% endblocktranslate %}{{ _('Yes') }}",
]


def _text(kind: type[Template], source: str, engine: Engine, **how: Any) -> str:
    try:
        return kind(source, engine=engine).render(Context(dict(VALUES), **how))
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("how", [{"use_l10n": False}, {}, {"autoescape": False}], ids=str)
def test_every_value_looks_as_django_shows_it(source: str, how: dict[str, Any]) -> None:
    engine: Any = engines["django"]
    assert _text(LeanTemplate, source, engine.engine, **how) == _text(Template, source, engine.engine, **how)


def test_a_text_for_what_is_missing_is_shown_too() -> None:
    engine = Engine(string_if_invalid="no %s")
    for source in ("{{ nothing }}", "{{ seat.missing }}", "{{ none.any }}", "{% if nothing %}a{% else %}b{% endif %}"):
        assert _text(LeanTemplate, source, engine) == _text(Template, source, engine)


def test_what_pages_show_most_takes_the_short_way() -> None:
    context = Context(dict(VALUES))
    for path in ("seat", "seat.name", "seat.twice", "seats.0.name", "rows.U", "pair.left", "nothing", "none.any"):
        assert LeanVariable(path).look_up(context) is not OTHERWISE, path


def test_the_sites_own_templates_are_lean_and_those_of_packages_are_not() -> None:
    def kind(name: str) -> type:
        return type(get_template(name).template)  # type: ignore[attr-defined]

    assert kind("components/amount.html") is LeanTemplate
    assert kind("admin/login.html") is Template
