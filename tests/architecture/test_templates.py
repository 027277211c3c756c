"""Templates see views only, and bring no script or style of their own: the content policy forbids both."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.architecture.files import File, files, in_tests

# Mail programs know no stylesheets of ours, and the page for a broken server must stand alone.
MAIL = "/email/"

TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
COMMENT = re.compile(r"{#.*?#}|{%\s*comment.*?endcomment\s*%}|<!--.*?-->", re.DOTALL)

INLINE = {
    "a script of its own": re.compile(r"<script(?![^>]*\bsrc=)[^>]*>\s*[^\s<]", re.I),
    "a style of its own": re.compile(r"<style\b", re.I),
    "a style attribute": re.compile(r"\sstyle\s*=", re.I),
    "a handler attribute": re.compile(r"<[a-z][^<>]*?\son[a-z]+\s*=", re.I),
    "script in an hx attribute": re.compile(r"\s(data-)?hx-on|hx-[a-z-]+\s*=\s*[\"']\s*(js|javascript):", re.I),
    "an attribute that HTML does not know (data-hx- is)": re.compile(r"\shx-[a-z]", re.I),
    "a script address": re.compile(r"(href|src|action)\s*=\s*[\"']\s*javascript:", re.I),
}
# In a tag: a look into the variable `state`, a match's `.state` or `.seed`, or a `core`.
STATE = re.compile(r"(?:{{|{%)(?:(?![%}]}).)*?(?:(?<![\w.\"'-])state\.|\bmatch\.(?:state|seed)\b|\bcore\.)", re.DOTALL)
# On these pages `match` is no model but the facts that everyone may know, and a seed is among them only in the end.
FACTS, SEED = "templates/matches/", "match.seed"
DATA_SCRIPT = re.compile(r"<script[^>]*type=[\"']application/(ld\+)?json[\"'][^>]*>.*?</script>", re.I | re.DOTALL)

LONGEST_LINE = 120


def templates() -> list[File]:
    found = files(".html", under=("templates/", "matches/", "accounts/"))
    return [file for file in found if not in_tests(file.path)]


def inline_faults(file: File) -> Iterator[str]:
    if MAIL in file.path:
        return
    text = TAG.sub("x", DATA_SCRIPT.sub("", COMMENT.sub("", file.text)))
    for what, pattern in INLINE.items():
        if pattern.search(text):
            yield f"{file.path} has {what}"


def state_faults(file: File) -> Iterator[str]:
    for found in STATE.finditer(COMMENT.sub("", file.text)):
        if found.group(0).endswith(SEED) and file.path.startswith(FACTS):
            continue
        yield f"{file.path} looks into a state: {found.group(0)[:60]}"


def long_lines(file: File) -> Iterator[str]:
    for number, line in enumerate(file.text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            yield f"{file.path}:{number} has {len(line)} characters"


def test_templates_can_be_read_line_by_line() -> None:
    pictures_and_mails = [file for file in files(".svg", ".txt") if "/templates/" in f"/{file.path}"]
    assert [fault for file in [*files(".html"), *pictures_and_mails] for fault in long_lines(file)] == []


def test_a_planted_long_line_is_found() -> None:
    text = "é" * LONGEST_LINE
    assert list(long_lines(File("templates/x.html", f"a\n{text}\n"))) == []
    assert list(long_lines(File("templates/x.html", f"a\n{text}b\n"))) == ["templates/x.html:2 has 121 characters"]


def test_templates_have_no_inline_script_or_style() -> None:
    assert [fault for file in templates() for fault in inline_faults(file)] == []


def test_templates_never_look_into_a_state() -> None:
    assert [fault for file in templates() for fault in state_faults(file)] == []


def test_there_is_something_to_look_at() -> None:
    paths = [file.path for file in templates()]
    assert "templates/base.html" in paths
    assert any(path.startswith("matches/games/") for path in paths)


@pytest.mark.parametrize(
    "text",
    [
        "<script>go()</script>",
        "<script type='module'>\n go()</script>",
        "<style>p{}</style>",
        '<p style="color: red">',
        "<p class=x\n style='{{ x }}'>",
        '<a onclick="go()">',
        '<body class="a" onload=go>',
        '<a href="javascript:go()">',
        '<div data-hx-on:click="go()">',
        '<div hx-get="/">',
        "<div data-hx-vals='js:{x: 1}'>",
    ],
)
def test_a_planted_inline_script_or_style_is_found(text: str) -> None:
    assert list(inline_faults(File("templates/x.html", text)))


@pytest.mark.parametrize(
    "text",
    [
        '<script src="{% static "x.js" %}"></script>',
        '<meta content="x">',
        "{# style= #}<p class='style'>",
        "<p>one = two</p>",
        '<script type="application/json">{"a": 1}</script>',
        '<svg stroke="x" font-style="normal"><path d="M0"/></svg>',
    ],
)
def test_plain_markup_is_no_fault(text: str) -> None:
    assert list(inline_faults(File("templates/x.html", text))) == []


@pytest.mark.parametrize(
    "text",
    [
        "{{ state.core.purses }}",
        "{% if match.state %}",
        "{{ match.seed }}",
        "{% for x in state.box %}",
        "{{ a|add:state.b }}",
    ],
)
def test_a_planted_look_into_a_state_is_found(text: str) -> None:
    assert list(state_faults(File("matches/games/chess/templates/x.html", text)))


@pytest.mark.parametrize(
    "text",
    ['{% state "empty" "Nothing yet" %}', "{{ seat.state }}", "<p class='state'>state.</p>", "{{ public.phase }}"],
)
def test_a_word_is_not_a_state(text: str) -> None:
    assert list(state_faults(File("matches/games/chess/templates/x.html", text))) == []
