"""Templates see views only, and bring no script or style of their own: the content policy forbids both."""

import re
from collections.abc import Iterator

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


def test_templates_have_no_inline_script_or_style() -> None:
    assert [fault for file in templates() for fault in inline_faults(file)] == []


def test_templates_never_look_into_a_state() -> None:
    assert [fault for file in templates() for fault in state_faults(file)] == []
