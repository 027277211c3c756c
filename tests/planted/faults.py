"""What can be planted: the lists beside this, one for each topic."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
LISTS = Path(__file__).parent / "lists"


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault, such as a tired developer makes. In `file`, `new` takes the place of `old`, which stands there once.

    `wrong` says in a sentence what is wrong then; `tests` are paths, `only` pytest's `-k` to narrow them down: what
    should find it. `services`: they run on PostgreSQL and Redis.
    """

    wrong: str
    file: str
    old: str
    new: str
    tests: str
    only: str = ""
    services: bool = False

    @property
    def paths(self) -> list[str]:
        """The tests' paths."""
        return self.tests.split()

    def planted(self, text: str) -> str:
        """The file's text with the fault. Raises `ValueError` where it has changed, so that nobody knows where to."""
        if (times := text.count(self.old)) != 1:
            raise ValueError(f"{self.file} has the old text {times} times: {self.old!r}")
        return text.replace(self.old, self.new)


@cache
def all_faults() -> dict[str, list[Fault]]:
    """The faults of each list, by its name."""
    return {path.stem: _read(path) for path in sorted(LISTS.glob("*.toml"))}


def _read(path: Path) -> list[Fault]:
    return msgspec.convert(tomllib.loads(path.read_text())["fault"], list[Fault])
