"""What the page of promises and the page of security name is there: every path, target of make, module and option."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.files import ROOT

PAGES = ("docs/promises.md", "docs/security.md")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)")
SPAN = re.compile(r"`([^`\n]+)`")


def faults(text: str, folder: Path) -> Iterator[str]:
    """What a text names and is not there."""
    for link in LINK.findall(text):
        if not link.startswith("https://") and not (folder / link).is_file():
            yield f"no {link}"
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    for span in SPAN.findall(text):
        if made := re.match(r"make ([a-z-]+)", span):
            if made[1] not in targets:
                yield f"no target {made[1]}"
        elif run := re.match(r"python -m ([\w.]+)", span):
            path = ROOT / run[1].replace(".", "/")
            if not path.with_suffix(".py").is_file() and not (path / "__main__.py").is_file():
                yield f"no module {run[1]}"
        elif re.fullmatch(r"[\w-]+(?:/[\w.-]+)+", span) and not (ROOT / span).exists():
            yield f"no {span}"


@pytest.mark.parametrize("page", PAGES)
def test_what_it_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text()
    assert len(LINK.findall(text)) > 5
    assert list(faults(text, ROOT / "docs")) == []


def test_every_promise_is_shown_by_something() -> None:
    rows = [line for line in (ROOT / PAGES[0]).read_text().splitlines() if re.match(r"\| (?!promise|---)", line)]
    assert len(rows) > 30
    for row in rows:
        promise, shown, figure, *rest = (cell.strip() for cell in row.strip("|").split("|"))
        assert len(rest) == 2, row
        assert promise, row
        assert figure, row
        assert LINK.search(shown) or "`" in shown, row


@pytest.mark.parametrize(
    "text", ["[x](../tests/nowhere.py)", "`make nothing`", "`python -m benchmarks.nothing`", "`tests/nowhere.py`"]
)
def test_what_is_not_there_is_found(text: str) -> None:
    assert len(list(faults(text, ROOT / "docs"))) == 1
    assert list(faults("[x](faults.md) `make planted` `python -m simulation` `tests/ops`", ROOT / "docs")) == []
