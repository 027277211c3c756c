"""What a package says of its modules is true: each name that it gives is that of a module or package in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest

from tests.architecture.files import File, files

OTHER_NAMES = {
    "genius_site": {"shared_task"},  # Celery's, for which the package imports the app
    "notices": {"matches"},  # the app on which it stands
}


def packages() -> list[File]:
    return [file for file in files(".py") if file.path.endswith("/__init__.py")]


def wrong_names(package: File, paths: set[str]) -> Iterator[str]:
    """The names of modules in a package's docstring that are in none of `paths`."""
    folder = PurePosixPath(package.path).parent
    known = OTHER_NAMES.get(str(folder), set())
    for name in re.findall(r"`([a-z_]+)`", ast.get_docstring(ast.parse(package.text)) or ""):
        places = {str(folder / f"{name}.py"), str(folder / name / "__init__.py")}
        if name not in known and not places & paths:
            yield f"{package.path} speaks of `{name}`"


def test_packages_speak_of_modules_that_they_have() -> None:
    found = packages()
    assert sum("`" in (ast.get_docstring(ast.parse(file.text)) or "") for file in found) > 10
    paths = {file.path for file in files(".py")}
    assert [fault for package in found for fault in wrong_names(package, paths)] == []


@pytest.mark.parametrize(("name", "faults"), [("clock", 0), ("voice", 0), ("told", 1)])
def test_a_planted_module_that_is_gone_is_found(name: str, faults: int) -> None:
    package = File("matches/x/__init__.py", f'"""`{name}` is of use."""')
    paths = {"matches/x/clock.py", "matches/x/voice/__init__.py"}
    assert len(list(wrong_names(package, paths))) == faults
