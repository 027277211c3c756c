"""Templates may be written one element a line: their line breaks are not sent, and no space that is meant gets lost."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.template import Context, engines
from django.template.loader import get_template

from genius_site.template_loader import joined


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("<p>\n  a\n</p>\n", "<p>a</p>"),
        ("<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>", "<ul><li>a</li> <li>b</li></ul>"),
        ("<p>\n  one\n  two <b>three</b>\n  four\n</p>", "<p>one two <b>three</b> four</p>"),
        ("<b>a</b> <i>b</i>\n<u>c</u>", "<b>a</b> <i>b</i> <u>c</u>"),
        ("{% if a %}\n  x\n{% else %}\n  y\n{% endif %}\nz", "{% if a %}x{% else %}y{% endif %} z"),
        ("{% who a %}\n{% who b %}\nwin", "{% who a %}{% who b %} win"),
        ("{{ a }}\n{{ b }}\n<b>c</b>", "{{ a }} {{ b }} <b>c</b>"),
        (
            "{% for a in b %}\n  {{ a }}\n{% empty %}\n  c\n{% endfor %}",
            "{% for a in b %}{{ a }}{% empty %}c{% endfor %}",
        ),
        ("<br>\ntext\n<col>\n<b>x</b>", "<br> text <col> <b>x</b>"),
        ("<colgroup>\n  text", "<colgroup>text"),
        ("1 < 2\nand 3 > 2 {x}", "1 < 2 and 3 > 2 {x}"),
    ],
)
def test_a_line_break_is_a_space_between_elements_and_beside_text(source: str, sent: str) -> None:
    assert joined(source) == sent


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ('<a href="x"\n    class="y"\n>\n  z\n</a>', '<a href="x" class="y">z</a>'),
        (
            "<a{% if b > c %} d{% endif %}\n    {% if e %}f{% endif %}>",
            "<a{% if b > c %} d{% endif %}{% if e %} f{% endif %}>",
        ),
        ("<a\n  {% if b %}\n    c\n  {% else %}\n    d\n  {% endif %}\n>", "<a{% if b %} c{% else %} d{% endif %}>"),
        (
            "<a b\n  {% for c in d %}\n  {% if c %}e{% endif %}\n  {% endfor %}>",
            "<a b{% for c in d %}{% if c %} e{% endif %}{% endfor %}>",
        ),
        (
            '<a\n  {% if b == "c" %}d="e"{% endif %} f="{{ g }}"{{ h }}>',
            '<a{% if b == "c" %} d="e"{% endif %} f="{{ g }}"{{ h }}>',
        ),
        (
            '<a class="b\n    {% if c %}d\n    {% else %}e{% endif %}">',
            '<a class="b {% if c %}d{% else %}e{% endif %}">',
        ),
        ('<a title="{% if b == "c" %}\n  d\n{% endif %}">', '<a title="{% if b == "c" %}d{% endif %}">'),
        ('<img src="a"\n    alt="">\n<b>c</b>', '<img src="a" alt=""> <b>c</b>'),
        ('<path d="M0"\n/>', '<path d="M0"/>'),
        ('{% include "a.html"\n    with b=c %}\n<p>', '{% include "a.html" with b=c %}<p>'),
    ],
)
def test_attributes_and_the_arguments_of_tags_may_be_on_lines_of_their_own(source: str, sent: str) -> None:
    assert joined(source) == sent


def test_a_space_between_tags_is_asked_for() -> None:
    assert joined('<b>a</b>\n{{ " " }}\n<i>b</i>\n{% if c %}\n  {{ " " }}\n  d\n{% endif %}') == (
        "<b>a</b> <i>b</i>{% if c %} d{% endif %}"
    )


@pytest.mark.parametrize("name", ["pre", "script", "style", "textarea"])
def test_what_keeps_its_white_space_keeps_it(name: str) -> None:
    kept = f"<{name} id='a'>\n  one\n\n  two\n</{name}>"
    assert joined(f"<p>\n{kept}\n</p>") == f"<p>{kept}</p>"


def test_comments_vanish_with_their_lines() -> None:
    assert joined("<p>\n  {# why #}\n  {% comment %}\n  more\n  {% endcomment %}\n  a\n</p>") == "<p>a</p>"


def test_what_is_on_one_line_already_stays_as_it_is() -> None:
    once = joined((settings.BASE_DIR / "templates/base.html").read_text())
    assert joined(once) == once


def test_the_sites_templates_are_loaded_so_and_those_of_packages_are_not() -> None:
    ours, theirs = get_template("components/panel.html"), get_template("admin/change_list.html")
    assert "\n" not in ours.template.source
    assert "\n" in theirs.template.source


def test_text_templates_keep_their_lines() -> None:
    assert "\n" in get_template("account/email/base_message.txt").template.source


def test_the_space_that_is_asked_for_is_seen_without_the_loader_too() -> None:
    assert engines["django"].from_string('a{{ " " }}b').template.render(Context()) == "a b"
