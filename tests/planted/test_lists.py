"""The lists of faults do not rot: each can still be planted, and there are tests to find it."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.planted.faults import ROOT, Fault, all_faults

FAULTS = [fault for some in all_faults().values() for fault in some]
TEXTS = {file: (ROOT / file).read_text() for file in {fault.file for fault in FAULTS}}


def test_each_fault_can_be_planted() -> None:
    changed = [fault.file for fault in FAULTS if TEXTS[fault.file].count(fault.old) != 1]
    assert changed == [], "what these files were looked for is no longer there, or more than once: follow the change"


def test_each_fault_changes_something_and_leaves_python() -> None:
    for fault in FAULTS:
        text = fault.planted(TEXTS[fault.file])
        assert text != TEXTS[fault.file], fault.wrong
        if fault.file.endswith(".py"):
            ast.parse(text)


def test_the_tests_that_should_find_them_are_there() -> None:
    paths = {path.partition("::")[0] for fault in FAULTS for path in fault.paths}
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_no_fault_is_there_twice() -> None:
    assert len(FAULTS) >= 200
    sentences = Counter(fault.wrong for fault in FAULTS)
    planted = Counter((fault.file, fault.planted(TEXTS[fault.file])) for fault in FAULTS)
    assert max(sentences.values()) == max(planted.values()) == 1


def test_a_text_that_has_changed_is_not_planted() -> None:
    fault = Fault(wrong="", file="x.py", old="a", new="b", tests="")
    with pytest.raises(ValueError, match="2 times"):
        fault.planted("aa")
    assert fault.planted("xax") == "xbx"
