"""Rules are arithmetic: the engine and the games reach for nothing outside themselves."""

import ast
from collections.abc import Iterator

from tests.architecture.files import File, files, in_tests

# What arithmetic needs. Whatever is not here (clock, chance, network, files, threads, frameworks) is outside.
STANDARD = {
    *(
        "__future__",
        "abc",
        "bisect",
        "collections",
        "collections.abc",
        "contextlib",
        "dataclasses",
        "datetime",
        "decimal",
    ),
    *("enum", "fractions", "functools", "hashlib", "heapq", "hmac", "itertools", "json", "math", "operator", "re"),
    *("string", "textwrap", "types", "typing"),
}
LIBRARIES = {"msgspec"}
ONLY = {"datetime": {"timedelta"}}
FORBIDDEN_CALLS = {"now", "today", "utcnow", "print", "open", "input", "eval", "exec", "__import__", "breakpoint"}
OWN_METHODS = {"open"}  # a game's answer to how a match opens: `self.open`, `game.open`, never the built-in


# The hosts' form is Django's, and what finds the games has to look into their folder.
NOT_RULES = ("/config_fields.py", "/host_forms.py", "matches/games/registry.py")


def pure_files() -> list[File]:
    """The engine and the games, without their tests and the host's form (which is Django's)."""
    found = files(".py", under=("matches/engine/", "matches/games/"))
    return [file for file in found if not in_tests(file.path) and not file.path.endswith(NOT_RULES)]


def faults(file: File) -> Iterator[str]:
    home = _home(file.path)
    for node in ast.walk(ast.parse(file.text)):
        if isinstance(node, ast.Import):
            for name in node.names:
                if not _allowed(name.name, home) or name.name in ONLY:
                    yield f"{file.path}:{node.lineno} imports {name.name}"
        elif isinstance(node, ast.ImportFrom):
            module = node.module or "."
            if node.level or not _allowed(module, home):
                yield f"{file.path}:{node.lineno} imports {module}"
            for name in node.names:
                if _is_rules(file.path) and (_is_view(module) or _is_view(f"{module}.{name.name}")):
                    yield f"{file.path}:{node.lineno} looks at views"
                if name.name in ("config_fields", "host_forms") or name.name not in ONLY.get(module, {name.name}):
                    yield f"{file.path}:{node.lineno} imports {name.name} from {module}"
        elif isinstance(node, ast.Call) and (called := _forbidden_call(node)):
            yield f"{file.path}:{node.lineno} calls {called}()"
        elif isinstance(node, ast.Global):
            yield f"{file.path}:{node.lineno} keeps something between calls"


def _home(path: str) -> str:
    """The package that a file may import from: the engine, or its own game."""
    parts = path.split("/")
    return ".".join(parts[:2] if parts[1] == "engine" else parts[:3]).removesuffix(".py")


def _allowed(module: str, home: str) -> bool:
    if module in STANDARD or module.split(".")[0] in LIBRARIES:
        return True
    if module.endswith((".config_fields", ".host_forms")):
        return False  # the files of a game that may know Django: rules must not lean on it
    return any(module == own or module.startswith(f"{own}.") for own in ("matches.engine", home))


# What a game shows is made from its rules; only these of its modules look at views.
SEES_VIEWS = {"game", "bots", "forecast", "advice", "what_if", "prospects", "story"}


def _is_rules(path: str) -> bool:
    name = path.rsplit("/", 1)[-1].removesuffix(".py")
    return path.startswith("matches/games/") and name not in SEES_VIEWS and "view" not in name


def _is_view(module: str) -> bool:
    return module.startswith("matches.games.") and "view" in module.rsplit(".", 1)[-1].split("_")[-1]


def _forbidden_call(node: ast.Call) -> str | None:
    if isinstance(node.func, ast.Name):
        return node.func.id if node.func.id in FORBIDDEN_CALLS else None
    if isinstance(node.func, ast.Attribute):
        return node.func.attr if node.func.attr in FORBIDDEN_CALLS - OWN_METHODS else None
    return None


def test_engine_and_games_are_pure() -> None:
    assert [fault for file in pure_files() for fault in faults(file)] == []
