"""`matches/models/clock.py` alone moves a match's clock: nobody else sets the clock's fields."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from matches.models.clock import CLOCK_FIELDS
from tests.architecture.files import File, files, in_tests

OWNER = "matches/models/clock.py"
FIELDS = frozenset(CLOCK_FIELDS) - {"speed"}  # chosen when a match is made, and never changed
WRITES = {"Match", "update", "create", "get_or_create", "update_or_create", "setattr", "replace"}


def settings_of_the_clock(file: File) -> Iterator[str]:
    """Where a file assigns one of the fields, or names it to something that writes."""
    if not any(name in file.text for name in FIELDS):
        return
    for node in ast.walk(ast.parse(file.text)):
        if isinstance(node, ast.Attribute) and node.attr in FIELDS and _is_set(node, file):
            yield f"{file.path}:{node.lineno} sets {node.attr}"
        elif isinstance(node, ast.Call) and _name(node.func) in WRITES:
            named = [keyword.arg for keyword in node.keywords]
            named += [each.value for each in node.args if isinstance(each, ast.Constant)]
            yield from (f"{file.path}:{node.lineno} sets {each}" for each in named if each in FIELDS)


def _is_set(node: ast.Attribute, file: File) -> bool:
    """Whether this is a match's field being set; views have fields of their own by these names."""
    own = isinstance(node.value, ast.Name) and node.value.id == "self" and not file.path.startswith("matches/models/")
    return not own and not isinstance(node.ctx, ast.Load)


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def test_nobody_else_sets_the_clock() -> None:
    found = [file for file in files(".py") if not in_tests(file.path) and "/migrations/" not in file.path]
    owner = [file for file in found if file.path == OWNER]
    assert list(settings_of_the_clock(*owner)), "the owner sets it"
    others = [file for file in found if file.path != OWNER]
    assert [fault for file in others for fault in settings_of_the_clock(file)] == []


@pytest.mark.parametrize(
    "line",
    [
        "match.anchor_at = None",
        "row.status, row.paused_at = PAUSED, now",
        "match.anchor_time += span",
        "Match(pk=1, hold_left=span)",
        "Match.objects.filter(pk=1).update(anchor_time=now)",
        'setattr(match, "paused_at", None)',
        "del match.anchor_at",
    ],
)
def test_a_planted_assignment_is_found(line: str) -> None:
    assert list(settings_of_the_clock(File("matches/x.py", line)))


@pytest.mark.parametrize("line", ["match.anchor_at is None", "MatchInfo(anchor_at=match.anchor_at)", "paused_at = 1"])
def test_reading_is_free(line: str) -> None:
    assert not list(settings_of_the_clock(File("matches/x.py", line)))
