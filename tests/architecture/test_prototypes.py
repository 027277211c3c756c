"""No script writes to a name that comes from data: `__proto__` among such names would change every object of the page.

What is kept under names is kept in a `Map`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.architecture.files import File, files, in_tests

HARMLESS = {
    "static/js/clock.js: element.dataset[name] = ": "an element's data-… attributes, which have no prototype to reach",
    "static/js/replay.js: lines[line] = ": "a list of lines, by a number",
}
WRITES = re.compile(
    r"""[\w.]*[\w\])]\[(?!\d+\]|"|')[^\]\[]+\]\s*(?:=(?![=>])|\+\+|--|[-+*/%|&^?<>]{1,3}=)\s?"""  # a[name] = …
    r"""|\b(?:__proto__|setPrototypeOf|__defineSetter__)\b"""
    r"""|\bObject\.(?:assign|defineProperty|defineProperties)\((?![^,{}]+,\s*\{)"""  # other than with a literal
)


def writes(file: File) -> Iterator[str]:
    text = re.sub(r"(?m)^\s*//.*$", "", file.text)
    return (f"{file.path}: {found[0]}" for found in WRITES.finditer(text) if not _takes_apart(text, found.start()))


def _takes_apart(text: str, place: int) -> bool:
    """Whether it is `const [a, b] = …`."""
    return re.search(r"\b(?:const|let|of)\s*$", text[:place]) is not None


def test_nothing_is_written_under_a_name_out_of_data() -> None:
    scripts = [
        file for file in files(".js", under=("static/", "matches/", "jotter/", "practice/")) if not in_tests(file.path)
    ]
    assert len(scripts) > 20
    assert {found for file in scripts for found in writes(file)} == set(HARMLESS)


@pytest.mark.parametrize(
    "line",
    [
        "known[name] = text;",
        "parts[frame.name].lines[key] = 1",
        "seen[id]++;",
        "count[word] += 1;",
        "kept[name] ??= [];",
        "Object.assign(known, JSON.parse(text));",
        "Object.assign(known, parsed, { here: 1 });",
        "known.__proto__ = other",
        "Object.setPrototypeOf(known, other)",
    ],
)
def test_what_would_is_found(line: str) -> None:
    assert list(writes(File("x.js", f"  {line}")))


@pytest.mark.parametrize(
    "line",
    [
        "const [first, second] = found;",
        "if (known[name] === text) return;",
        "Object.assign(button, { type: 'button' });",
        "known.set(name, text);",
        "pair[0] = text;",
        "const { status, ...others } = parts;",
        "list.map((each) => known[each] => 1)",
    ],
)
def test_what_does_not_is_not(line: str) -> None:
    assert list(writes(File("x.js", f"  {line}"))) == []
