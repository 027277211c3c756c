"""Differences between settings, in lines."""

from __future__ import annotations

from typing import Any

import pytest

from matches.admin.differences import differences


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (1, 2, ["k: 1 → 2"]),
        (None, "24h", ["k: nothing → 24h"]),
        (True, False, ["k: yes → no"]),
        ({"a_b": 1, "c": 2}, {"a_b": 3, "c": 2}, ["k, a b: 1 → 3"]),
        ([1, 2], [1, 3], ["k, no. 2: 2 → 3"]),
        ([1], [1, 4], ["k, no. 2: new, 4"]),
        ([1, 2], [1], ["k, no. 2: taken out, was 2"]),
        ([{"lots": [{"gold": 1}]}], [{"lots": [{"gold": 2}]}], ["k, no. 1, lots, no. 1, gold: 1 → 2"]),
        ({"a": None}, {}, ["k, a: taken out, was nothing"]),
        ([1], {"a": 1}, ["k: 1 → a 1"]),
        ("x", "y" * 80, [f"k: x → {'y' * 59}…"]),
        ((1, 2), [1, 2], []),
    ],
)
def test_one_line_for_each_thing_that_differs(before: Any, after: Any, lines: list[str]) -> None:
    assert differences({"k": (before, after)}, 9) == lines


def test_there_are_so_many_lines_and_a_last_one_that_counts_the_others() -> None:
    assert differences({"k": ([0] * 9, [1] * 9)}, 2) == ["k, no. 1: 0 → 1", "k, no. 2: 0 → 1", "and 7 more"]
