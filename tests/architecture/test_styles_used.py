"""No rule without a use: each class that a sheet names stands in a page, each token and movement is asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import django.contrib.admin
import django.forms
import pytest

from tests.architecture.files import File, files, in_tests
from tests.architecture.styles import rules

# It shows components and has no need of any.
STYLEGUIDE = "styleguide"
HOSTING = ("static/css/admin.css", "static/css/console.css")  # sheets that dress Django's own pages too

BY_LIBRARY = ("htmx-request",)  # what htmx gives to an element that waits for an answer

TEMPLATE_CODE = re.compile(r"{%.*?%}", re.DOTALL)
VARIABLE = re.compile(r"{{.*?}}", re.DOTALL)
COMMENT = re.compile(r"{#.*?#}|{%\s*comment.*?endcomment\s*%}", re.DOTALL)
CLASS_ATTRIBUTE = re.compile(r"""\sclass=(["'])((?:{%.*?%}|{{.*?}}|(?!\1).)*)\1""", re.DOTALL)
BODY_CLASSES = re.compile(r"{% block bodyclass %}(.*?){% endblock %}", re.DOTALL)  # inside of Django's attribute
SCRIPTED = re.compile(r"""className = ([^;]*)|classList\.\w+\(([^)]*)|\bclass: ("[^"]*")""")
QUOTED = re.compile(r"""(["'`])(.*?)\1""")
NAME = re.compile(r"-?[A-Za-z_][\w-]*")
UNKNOWN = "\0"


class Used:
    """The classes of pages. Of some only the beginning is known: `badge--` of `badge--{{ tone }}`."""

    def __init__(self, words: Iterable[str]) -> None:
        found = set(words)
        self.whole = {word for word in found if UNKNOWN not in word}
        self.beginnings = tuple({word.split(UNKNOWN)[0] for word in found - self.whole} - {""})

    def __contains__(self, name: str) -> bool:
        return name in self.whole or name.startswith(self.beginnings)


def classes(file: File) -> Iterator[str]:
    """The words of all class attributes that a template, a module or a script writes."""
    if file.path.endswith(".html"):
        yield from _in_template(COMMENT.sub("", file.text))
    elif file.path.endswith(".py"):
        yield from _in_module(ast.parse(file.text))
    else:
        for assigned in SCRIPTED.findall(file.text):
            text = re.sub(r"\${\w+}", UNKNOWN, "".join(assigned))
            yield from re.findall(rf"[\w{UNKNOWN}-]+", text)


def _in_template(text: str) -> Iterator[str]:
    values = [value for _, value in CLASS_ATTRIBUTE.findall(text)]
    for value in [*values, *BODY_CLASSES.findall(text)]:
        # `a{% if b %} a--b{% endif %}` may join and may part: read it both ways.
        for between in ("", " "):
            yield from VARIABLE.sub(UNKNOWN, TEMPLATE_CODE.sub(between, value)).split()
        yield from re.findall(rf"\S+-{UNKNOWN}", TEMPLATE_CODE.sub(UNKNOWN, value))  # `a--{% if b %}b{% endif %}`
    for tag in TEMPLATE_CODE.findall(text):  # what is handed to an include
        yield from (word for _, words in QUOTED.findall(tag) for word in words.split())


def _in_module(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "class" and isinstance(value, ast.Constant):
                    yield from str(value.value).split()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for _, value in CLASS_ATTRIBUTE.findall(node.value):
                yield from value.replace("{}", UNKNOWN).split()


@cache
def used() -> Used:
    ours = files(".html", ".py", ".js", under=("templates/", "matches/", "accounts/", "genius_site/", "static/js/"))
    ours = [file for file in ours if not in_tests(file.path) and STYLEGUIDE not in file.path]
    return Used([*BY_LIBRARY, *(word for file in ours for word in classes(file))])


@cache
def used_by_django() -> Used:
    """Classes of Django's admin and of forms, found as words: they are put together in many ways."""
    words: set[str] = set()
    for package in (django.contrib.admin, django.forms):
        for path in Path(package.__path__[0]).rglob("*"):
            if path.suffix in (".html", ".py", ".js", ".css"):
                words.update(NAME.findall(path.read_text("utf-8")))
    return Used([*words, f"field-{UNKNOWN}", f"column-{UNKNOWN}"])  # each column of a list has two


def named(file: File) -> set[str]:
    """The classes that a sheet names."""
    heads = [rule.head for rule in rules(file) if not rule.head.startswith("@")]
    return {name for head in heads for name in re.findall(r"\.(-?[A-Za-z_][\w-]*)", re.sub(r'"[^"]*"', "", head))}


def sheets() -> list[File]:
    return files(".css", under=("static/", "matches/"))


def test_every_class_of_a_sheet_stands_in_a_page() -> None:
    unused = {
        file.path: sorted(
            name
            for name in named(file)
            if name not in used() and not (file.path.startswith(HOSTING) and name in used_by_django())
        )
        for file in sheets()
    }
    assert {path: names for path, names in unused.items() if names} == {}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x.html", '<p class="a lone b">'),
        ("x.html", "<p id=x class='lone{% if x %} b{% endif %}'>"),
        ("x.html", '<p class="{% if x == "y" %}lone{% else %}b{% endif %}">'),
        ("x.html", '<p class="lone{{ x }}">'),
        ("x.html", '{% include "y.html" with kind="lone b" %}'),
        ("x.py", "x = format_html('<p class=\"b lone\">{}</p>', x)"),
        ("x.py", 'x = TextInput(attrs={"class": "lone"})'),
        ("x.js", 'line.className = "lone";'),
        ("x.js", 'line.classList.toggle("lone", left < 0);'),
        ("x.js", 'make("rect", { class: "b lone", x: 6 })'),
        ("x.js", "line.className = `a${bad ? ` lone` : ''}`;"),
    ],
)
def test_a_use_is_seen(path: str, text: str) -> None:
    assert "lone" in Used(classes(File(path, text)))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x.html", "<p>lone</p>{# class='lone' #}"),
        ("x.html", '<p class="alone lonely">'),
        ("x.py", 'x = "lone"'),
        ("x.js", 'find(".lone"); const lone = "lone";'),
    ],
)
def test_a_word_is_no_use(path: str, text: str) -> None:
    assert "lone" not in Used(classes(File(path, text)))


def test_a_planted_rule_is_found() -> None:
    sheet = File("x.css", "@media print { .a:not(.lone) > p.b { margin: 0.5rem; } }")
    assert named(sheet) == {"a", "lone", "b"}


# -- tokens and movements ------------------------------------------------------------------------


def set_and_asked() -> tuple[set[str], set[str]]:
    """The custom properties that sheets set, and those that anything asks for."""
    given, asked = set(), set()
    for sheet in sheets():
        for rule in rules(sheet):
            given.update(name for name, _ in rule.declarations if name.startswith("--"))
    for file in [*sheets(), *files(".html", ".js", ".svg", under=("static/", "templates/", "matches/"))]:
        asked.update(re.findall(r"var\(\s*(--[\w-]+)", file.text))
    return given, asked


def test_every_token_is_asked_for() -> None:
    given, asked = set_and_asked()
    django_admin = {
        name for file in sheets() if file.path in HOSTING for name in re.findall(r"--[\w-]+(?=:)", file.text)
    }
    assert sorted(given - asked - django_admin) == []


def test_every_token_that_is_asked_for_is_there() -> None:
    given, asked = set_and_asked()
    assert sorted(asked - given) == []


def test_every_movement_is_used() -> None:
    found = [rule for sheet in sheets() for rule in rules(sheet)]
    made = {rule.head.split()[1] for rule in found if rule.head.startswith("@keyframes")}
    used_ = {
        word for rule in found for name, value in rule.declarations if name == "animation" for word in value.split()
    }
    assert made
    assert made <= used_


# -- and no class without a use ------------------------------------------------------------------


def test_every_class_of_a_page_is_asked_for_by_a_sheet_a_script_or_a_test() -> None:
    ruled = {name for sheet in sheets() for name in named(sheet)}
    scripts = "\n".join(file.text for file in files(".js", under=("static/js/", "matches/")))
    tests = "\n".join(file.text for file in files(".py") if in_tests(file.path))
    asked = set(re.findall(r"\.([\w-]+)", scripts)) | set(NAME.findall(tests))
    idle = {
        word
        for file in files(".html", under=("templates/", "matches/"))
        if not in_tests(file.path)
        for word in written_out(file)
        if word not in ruled | asked and word not in used_by_django()
    }
    assert sorted(idle) == []


def written_out(file: File) -> set[str]:
    """The classes of a template that stand in it from beginning to end."""
    values = [value for _, value in CLASS_ATTRIBUTE.findall(COMMENT.sub("", file.text))]
    words = {word for value in values for word in VARIABLE.sub(UNKNOWN, TEMPLATE_CODE.sub(" ", value)).split()}
    return {word for word in words if UNKNOWN not in word and not word.endswith("-")}


def test_a_planted_class_is_found() -> None:
    file = File("x.html", '<p class="a a--{{ b }}{% if c == "d" %} lone{% else %} e--{% endif %}" data-x="f">')
    assert written_out(file) == {"a", "lone"}
