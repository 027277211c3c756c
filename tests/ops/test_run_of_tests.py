"""What a run of the tests does before them, and repeats after them."""

from __future__ import annotations

import pytest
from hypothesis.internal import charmap

from tests.fixtures import collecting
from tests.run import Wrong

PRINTED = """
........F.......
=================================== ERRORS ====================================
___________________ ERROR at teardown of test_a_page[coming] ___________________
    assert visitors.problems == []
E   AssertionError: assert ['500'] == []
E     Left contains one more item
=================================== FAILURES ===================================
________________________ TestSums.test_one_and_one ________________________
>       assert 1 + 1 == 3
E       assert (1 + 1) == 3
E        +  and
E        +  five
E        +  lines
E        +  more
E        +  of
E        +  it

tests/x.py:1: AssertionError
=========================== short test summary info ============================
ERROR tests/a.py::test_a_page[coming] - AssertionError: ...
FAILED tests/x.py::TestSums::test_one_and_one
1 failed, 16 passed, 1 error in 2.00s
"""


def test_failed_tests_are_named_with_where_they_failed_and_how_what_they_say_begins() -> None:
    wrong = Wrong()
    for line in PRINTED.splitlines():
        wrong.read(line)
    assert wrong.lines == [
        "ERROR at teardown of test_a_page[coming]: AssertionError: assert ['500'] == []",
        "ERROR at teardown of test_a_page[coming]: Left contains one more item",
        "TestSums.test_one_and_one: assert (1 + 1) == 3",
        *(f"TestSums.test_one_and_one: +  {word}" for word in ("and", "five", "lines", "more", "of")),
        "TestSums.test_one_and_one: at tests/x.py:1",
        "ERROR tests/a.py::test_a_page[coming] - AssertionError: ...",
        "FAILED tests/x.py::TestSums::test_one_and_one",
    ]


def test_the_table_of_characters_is_there_before_any_test_draws_a_text(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(charmap, "_charmap", None)
    collecting.pytest_collection_finish(request.session)
    assert charmap._charmap
