"""No module needs, directly or by a detour, a module that needs it; imports for type checkers count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from tests.architecture.files import File, files

Imports = Mapping[str, set[str]]
"""Module -> the modules that it imports."""


def imports(found: list[File]) -> Imports:
    """Which of these modules imports which, wherever in the file the import stands."""
    modules = {_name(file.path): ast.parse(file.text) for file in found}
    return {name: {each for each in _imported(tree, modules) if each != name} for name, tree in modules.items()}


def _name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(tree: ast.Module, modules: Mapping[str, ast.Module]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in modules)
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                deeper = f"{node.module}.{name.name}"
                yield from (each for each in (deeper if deeper in modules else node.module,) if each in modules)


def circle(graph: Imports) -> list[str]:
    """The modules of one circle, from the first one to the first one again; empty if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = imports([file for file in files(".py") if "/migrations/" not in file.path])
    assert len(graph) > 300
    assert circle(graph) == []


def test_a_planted_circle_is_found() -> None:
    """Also one that is for type checkers alone, by a detour, or in a function."""
    checkers = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from x.b import C\n"
    later = "def f():\n    import x.c\n"
    found = [File("x/a.py", checkers), File("x/b.py", later), File("x/c.py", "from x import a\n")]
    assert set(circle(imports(found))) == {"x.a", "x.b", "x.c"}
    assert circle(imports(found[:2])) == []
