"""`make audit`: are the locked packages the newest that pyproject.toml allows, and is a hole known in one of them?

python -m tests.audit NEWEST: the folder in which `make lock` has made the locks again. OSV_URL names the database.
It ends with 0 if nothing is to be done, with 1 if something is, and with 3 if nothing was found but not all could be
asked.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.audit import holes
from tests.audit.holes import Hole, NotAsked
from tests.audit.locks import behind, pins

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "static/vendor/manifest.json"
ACCEPTED = ROOT / "docs/security/accepted_holes.toml"
WELL, TO_DO, NOT_ASKED = 0, 1, 3


def main(locked: Path, newest: Path, service: str) -> int:
    have, scripts = pins(locked), json.loads(VENDOR.read_text())

    def newer() -> Iterator[str]:
        if not newest.is_dir():
            raise NotAsked("the locks could not be made again")
        yield from behind(have, pins(newest))

    codes = [
        _told("Newer than what is locked, and allowed by pyproject.toml", newer),
        _told("Holes that are known in packages", lambda: _counting(holes.of_packages(have, service))),
        _told("Holes that are known in scripts", lambda: _counting(holes.of_scripts(scripts, service))),
    ]
    return TO_DO if TO_DO in codes else max(codes)


def _counting(found: Iterable[Hole]) -> Iterator[str]:
    """Those that are not accepted."""
    accepted: dict[str, dict[str, Any]] = tomllib.loads(ACCEPTED.read_text())
    now = datetime.now(UTC).date()
    for hole in found:
        reasons = (accepted[name] for name in hole.names & accepted.keys())
        if not any(each["package"] == hole.package and each["until"] >= now for each in reasons):
            yield str(hole)


def _told(what: str, find: Callable[[], Iterator[str]]) -> int:
    """Say what is found of one kind; the code that follows from it."""
    try:
        found = list(find())
    except NotAsked as error:
        print(f"{what}: NOT ASKED. {error}")
        return NOT_ASKED
    print(f"{what}: {len(found) or 'none'}", *found, sep="\n    ")
    return TO_DO if found else WELL


if __name__ == "__main__":
    sys.exit(main(ROOT, Path(sys.argv[1]), os.environ["OSV_URL"]))
