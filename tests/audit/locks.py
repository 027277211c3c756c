"""Which versions the locks have, and which of them are not the newest that pyproject.toml allows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock")

_ANOTHER_PYTHON = re.compile(r"platform_python_implementation (== 'PyPy'|!= 'CPython')")
"""Marks what is locked for a Python that no site runs on."""

Pins = dict[str, set[str]]
"""The versions of each package: there are two where systems or Pythons need different ones."""


def pins(folder: Path) -> Pins:
    """What the three locks in this folder have, together."""
    found: Pins = {}
    for lock in LOCKS:
        for name, version, rest in re.findall(r"^([a-z0-9-]+)==(\S+)(.*)", (folder / lock).read_text(), re.MULTILINE):
            if not _ANOTHER_PYTHON.search(rest):
                found.setdefault(name, set()).add(version)
    return found


def behind(locked: Pins, newest: Pins) -> Iterator[str]:
    """A line for each package of which `make lock` would take another version now."""
    for name in sorted(locked.keys() & newest.keys()):
        if locked[name] != newest[name]:
            yield f"{name} {', '.join(sorted(locked[name]))}, now {', '.join(sorted(newest[name]))}"
