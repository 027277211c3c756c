"""Small habits: tests never sleep, files stay short, and the project speaks only of itself."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

import pytest

from tests.architecture.files import File, all_files, files, in_tests

# -- no test waits for time to pass --------------------------------------------------------------

MAY_SLEEP = {
    "tests/live/stage.py": "on a loop whose time passes by itself, or asking another thread again and again",
    "tests/fixtures/processes.py": "asks again and again whether a server that was started answers yet",
    "tests/services/race_tasks.py": "processes that write without end, on a lock that is not given in turn",
    "tests/notices/sender.py": "a process of its own that sends without end, as beat would have it",
}
SLEEPERS = {"sleep", "wait_for_timeout"}


def sleeps(file: File) -> Iterator[str]:
    if not any(name in file.text for name in SLEEPERS):
        return  # without reading it as a program, which takes longer than all else here
    for node in ast.walk(ast.parse(file.text)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            gives_way = len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
            if name in SLEEPERS and not gives_way:
                yield f"{file.path}:{node.lineno} sleeps"


def test_no_test_sleeps() -> None:
    tests = [file for file in files(".py") if in_tests(file.path) and file.path not in MAY_SLEEP]
    assert len(tests) > 20
    assert [fault for file in tests for fault in sleeps(file)] == []


@pytest.mark.parametrize("line", ["time.sleep(1)", "sleep(0.1)", "await asyncio.sleep(x)", "page.wait_for_timeout(50)"])
def test_a_planted_sleep_is_found(line: str) -> None:
    code = line.replace("await ", "")
    assert list(sleeps(File("tests/x.py", code)))


def test_giving_way_to_other_tasks_is_no_sleep() -> None:
    assert list(sleeps(File("tests/x.py", "asyncio.sleep(0)"))) == []


# -- files stay short ----------------------------------------------------------------------------

SHORT, LONGEST = 300, 450
STYLES = 400  # a style sheet is a list, not a thought; most are under 300 too
LONG_BECAUSE = {
    "genius_site/settings.py": "a list: what Django and the libraries are told",
    "matches/api/shapes.py": "a list: what the API answers, shape after shape",
    "matches/engine/game.py": "one class, the contract of a match type; what one declares is in match_type.py already",
    "matches/engine/sentences.py": "a list: how each announcement is said",
    "matches/pages/templatetags/match_tags.py": "one library, which every template of a match loads",
    "matches/services/writer.py": "one writer: all that a change of a match takes, from its lock to its log",
    "seasons/services/writer.py": "one writer, too: all that a change of a season takes",
    "tests/access/expected.py": "a table: what everybody is answered at each address",
    "static/js/live.js": "scripts share nothing but events, and a board and its connection share more",
}


def lengths() -> dict[str, int]:
    found = files(".py", ".html", ".js", ".css")
    return {file.path: file.text.count("\n") for file in found if "/migrations/" not in file.path}


def too_long(found: dict[str, int]) -> list[str]:
    return [f"{path} has {count} lines" for path, count in found.items() if count > _limit(path)]


def _limit(path: str) -> int:
    return STYLES if path.endswith(".css") else LONGEST


def test_no_file_is_much_too_long() -> None:
    assert too_long(lengths()) == []


def test_long_files_are_named_with_a_reason() -> None:
    long = sorted(path for path, count in lengths().items() if count > SHORT and not path.endswith(".css"))
    unexplained = [path for path in long if path not in LONG_BECAUSE]
    if unexplained:
        warnings.warn(LongFiles(f"over {SHORT} lines: {', '.join(unexplained)}"), stacklevel=1)
    assert set(LONG_BECAUSE) <= set(long), "a reason for a file that is short or gone"


test_long_files_are_named_with_a_reason = pytest.mark.filterwarnings("default")(test_long_files_are_named_with_a_reason)


class LongFiles(UserWarning):
    """A list to look at now and then; splitting a file is a judgement, not a rule."""


def test_a_planted_long_file_is_found() -> None:
    assert too_long({"matches/x.py": LONGEST + 1, "matches/y.py": LONGEST}) == [f"matches/x.py has {LONGEST + 1} lines"]


# -- the project speaks only of itself -----------------------------------------------------------

# Put together from parts, so that this file does not find itself.
FOREIGN = re.compile(
    "|".join(
        [
            "/wo" + r"rk/(?:main|shared)",
            r"\.\./" + "shared",
            "shared" + r"/(?:rules|design|seeds|examples|look|reliab|perform|depend)",
            r"\bissues? (?:#|no\. ?)?\d+\b",
            r"\bissues " + "show",
            "work" + "place",
            "anth" + "ropic",
            r"\bclau" + "de",
            "chat" + "gpt",
            r"\bsub" + "agent",
            r"\blanguage " + "model",
            "/ho" + r"me/[a-z]+/",
            "/ro" + r"ot/",
        ]
    ),
    re.I,
)


def foreign(file: File) -> Iterator[str]:
    for found in FOREIGN.finditer(file.text):
        line = file.text.count("\n", 0, found.start()) + 1
        yield f"{file.path}:{line} says {found.group(0)!r}"


def test_nothing_speaks_of_the_place_where_it_was_written() -> None:
    assert [fault for file in all_files() for fault in foreign(file)] == []


@pytest.mark.parametrize(
    "text", ["see ../sha" + "red/design.md", "cd /wo" + "rk/main", "as issue " + "2 says", "fixes issue " + "#12"]
)
def test_a_planted_word_is_found(text: str) -> None:
    assert list(foreign(File("README.md", text)))


def test_nothing_is_left_to_do_later() -> None:
    marks = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b")
    left = [file.path for file in files(".py", ".html", ".js", ".css", ".md") if marks.search(file.text)]
    assert left == []
