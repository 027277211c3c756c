"""Which program this is."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def program_version() -> str:
    """The version in pyproject.toml."""
    file = Path(__file__).resolve().parent.parent / "pyproject.toml"
    return str(tomllib.loads(file.read_text())["project"]["version"])
