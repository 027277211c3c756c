"""The sheet of the security standard is whole, what it names is there, and the page counts it rightly."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from typing import Any

import pytest

from tests.architecture.files import ROOT

SHEET = tomllib.loads((ROOT / "docs/security/asvs.toml").read_text())
ANSWERS = ("holds", "not_applicable", "not_met")

# How many requirements each section of the standard has at this level; numbers begin with 1 and leave none out only
# over both levels, so those that are missing in between are named.
NUMBERS = {
    1: """1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1
    6.2.1-8 6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2
    13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1""",
    2: """2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3 4.2.1 4.3.1-2 4.4.2-4 6.1.2-3 6.2.9-12
    6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1 11.1.1-2 11.2.1-3
    11.3.3 11.4.2-4 11.5.1 11.6.1 13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2 14.2.2-4 14.3.2-3 15.1.2-3 15.2.2-3
    15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3""",
}


def numbers(level: int) -> set[str]:
    found = set()
    for section, first, last in re.findall(r"(\d+\.\d+)\.(\d+)(?:-(\d+))?", NUMBERS[level]):
        found |= {f"{section}.{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def rows(level: int) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = SHEET[f"level_{level}"]
    return found


def faults(number: str, row: dict[str, Any]) -> list[str]:
    """What is wrong with a row."""
    given = [name for name in ANSWERS if str(row.get(name, "")).strip()]
    found = [] if len(given) == 1 and set(row) == {"about", *given} else [f"{number}: one of {', '.join(ANSWERS)}"]
    named = row.get("holds", "").split() + re.findall(r"\b(?:tests|docs)/[\w/.-]+\w", " ".join(map(str, row.values())))
    return found + [f"{number}: there is no {path}" for path in named if not (ROOT / path).is_file()]


@pytest.mark.parametrize("level", [1, 2])
def test_no_number_is_missing_and_each_row_has_one_answer(level: int) -> None:
    assert set(rows(level)) == numbers(level)
    assert [fault for number, row in rows(level).items() for fault in faults(number, row)] == []


@pytest.mark.parametrize(
    "row",
    [
        {"about": "x"},
        {"about": "x", "holds": "tests/nowhere.py"},
        {"about": "x", "holds": "README.md", "not_met": "much"},
        {"about": "x", "not_met": " "},
        {"about": "x", "not_met": "see docs/nowhere.md"},
    ],
)
def test_a_row_that_says_nothing_or_names_what_is_not_there_is_found(row: dict[str, str]) -> None:
    assert faults("1.1.1", row)
    assert faults("1.1.1", {"about": "x", "holds": "README.md"}) == []


def test_the_page_counts_them_rightly() -> None:
    page = (ROOT / "docs/security.md").read_text()
    for level in (1, 2):
        count = Counter(answer for row in rows(level).values() for answer in ANSWERS if answer in row)
        of_those = 100 * count["holds"] // (count["holds"] + count["not_met"])
        told = " | ".join(map(str, (level, len(rows(level)), *(count[answer] for answer in ANSWERS), f"{of_those} %")))
        assert f"| {told} |" in page
