"""The project's own files, as text."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "matches" / "games"
_NOT_OURS = {".venv", ".git", "node_modules", "var", "vendor", "staticfiles", "htmlcov", "artefacts", "artifacts"}
_TEXT = {
    *(".py", ".html", ".txt", ".js", ".css", ".svg", ".md", ".toml", ".yml", ".yaml", ".json", ".cfg", ".ini", ".sh"),
    *("", ".lock", ".example"),
}


class File(NamedTuple):
    """A file's path from the top of the project, with slashes, and what is in it."""

    path: str
    text: str


@cache
def all_files() -> tuple[File, ...]:
    """Every text file that is ours: no environments, caches, vendored libraries or local data."""
    return tuple(_walk())


def _walk() -> Iterator[File]:
    for top, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in _NOT_OURS and not _is_cache(name))
        for name in sorted(set(names) - {".git"}):
            path = Path(top, name)
            if path.suffix in _TEXT and name != ".env" and path.stat().st_size < 1_000_000:
                try:
                    yield File(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
                except (UnicodeDecodeError, FileNotFoundError):
                    continue


def _is_cache(name: str) -> bool:
    return name.endswith("cache") or name in ("__pycache__", ".hypothesis", ".coverage")


def files(*suffixes: str, under: tuple[str, ...] = ("",)) -> list[File]:
    """Our files with these endings, below these folders."""
    return [file for file in all_files() if file.path.endswith(suffixes) and file.path.startswith(under)]


def in_tests(path: str) -> bool:
    """Whether a path belongs to the tests, a game's own included."""
    return "tests" in path.split("/") or path == "conftest.py"
