"""The whole suite: once on SQLite, once (the `services` and `both` tests) on real PostgreSQL and Redis.

    .venv/bin/python tests/run.py [sqlite|services] [arguments for pytest]

The database is chosen by Django's settings, so each part is a pytest of its own; the last line adds them up. Without
arguments, each part has as many workers as there are processors, four at most (WORKERS says how many else). A worker
shares nothing with another: it has its own database, Redis database and, for browser tests, its own site and browser.

Tests with a browser and those on services often wait: for a page, a lock, a deadline. The others hardly ever do, and
run beside them, on what they leave of the processors. Each line then says which part it is from.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fixtures.postgres import postgres  # noqa: E402
from tests.fixtures.processes import NotAvailable, required  # noqa: E402
from tests.fixtures.redis import redis  # noqa: E402

COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?)\b")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
NO_TESTS = 5  # pytest's code

Outcome = tuple[int, Counter[str]]
"""A pytest's exit code, and the numbers of its last line."""


@dataclass(frozen=True)
class Part:
    """Tests that run in one pytest: on SQLite or on services."""

    name: str
    arguments: tuple[str, ...]
    on_services: bool = False
    nice: int = 0


def lanes(chosen: str, arguments: list[str]) -> list[list[Part]]:
    """The parts of a run; those of a lane follow each other, and all lanes run at once."""
    if arguments:
        parts = [Part("sqlite", tuple(arguments)), Part("services", tuple(arguments), on_services=True)]
        return [[part for part in parts if chosen in ("", part.name)]]
    quick = Part("sqlite", (*workers(), "-m", "not browser"), nice=5)
    browser = Part("browser", (*workers(), "-m", "browser", *marked("browser")))
    # Whole files to a worker: some share a server, or processes that race, for all of their tests.
    files = marked("services", "both")
    services = Part("services", (*workers(), "--dist", "loadfile", *files), on_services=True)
    return {"sqlite": [[quick], [browser]], "services": [[services]]}.get(chosen, [[quick], [browser, services]])


def marked(*names: str) -> list[str]:
    """The files with tests of these marks, so that nobody imports all the others (conftest.py checks that each file
    with such tests says so itself)."""
    mark = re.compile(rf"mark\.({'|'.join(names)})\b")
    tests = [path for folder in ("tests", "matches/games") for path in sorted((ROOT / folder).rglob("test_*.py"))]
    return [str(path.relative_to(ROOT)) for path in tests if mark.search(path.read_text())]


def workers() -> list[str]:
    """Arguments for pytest."""
    count = int(os.environ.get("WORKERS") or min(os.cpu_count() or 1, 4))
    return ["-n", str(count)] if count > 1 else []


class Wrong:
    """What went wrong in a part: which tests, through which lines of theirs, and how what each of them says begins. It
    is all repeated at the end of a run, because some logs show only that."""

    LINES = 6
    """Of what a test says: enough for what a browser waited for."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._title = ""
        self._left = 0

    def read(self, line: str) -> None:
        """The next line of pytest's output, without colours."""
        if title := re.fullmatch(r"_+ (.+?) _+", line):
            self._title, self._left = title[1], self.LINES
        elif re.match(r"=+ .+ =+$", line):
            self._title, self._left = "", 0
        elif self._title and (place := re.match(r"((?:tests|matches)/\S+\.py:\d+):", line)):
            self.lines.append(f"{self._title}: at {place[1]}")
        elif self._left and line.startswith("E  "):
            self.lines.append(f"{self._title}: {line[1:].strip()}")
            self._left -= 1
        elif re.match(r"FAILED |ERROR |INTERNALERROR>.*Error|.*node down:", line):
            self.lines.append(line)


class Run:
    """The parts of this run, and the processes that they are in."""

    def __init__(self, lanes: list[list[Part]]) -> None:
        self._lanes = lanes
        self._children: list[subprocess.Popen[str]] = []
        self._wrong: dict[Part, Wrong] = {}
        self._stopped = False

    def outcomes(self) -> list[Outcome]:
        """Runs everything, each lane in a thread of its own."""
        with ThreadPoolExecutor(len(self._lanes)) as pool:
            try:
                return [outcome for lane in pool.map(self._lane, self._lanes) for outcome in lane]
            except BaseException:
                self.stop()  # before the pool waits for its threads, which wait for these
                raise

    @property
    def faults(self) -> list[str]:
        """All that went wrong, part by part."""
        return [f"{part.name:8} | {line}" for part, wrong in self._wrong.items() for line in wrong.lines]

    def stop(self) -> None:
        self._stopped = True
        for child in self._children:
            child.terminate()

    def _lane(self, parts: list[Part]) -> list[Outcome]:
        return [self._on_services(part) if part.on_services else self._on_sqlite(part) for part in parts]

    def _on_sqlite(self, part: Part) -> Outcome:
        return self._pytest(part, part.arguments, DATABASE_URL="", REDIS_URL="")

    def _on_services(self, part: Part) -> Outcome:
        """Starts both servers, runs, stops them; without them the tests are skipped in one loud line, or fail in CI."""
        with contextlib.ExitStack() as stack:
            try:
                urls = {"DATABASE_URL": stack.enter_context(postgres()), "REDIS_URL": stack.enter_context(redis())}
            except NotAvailable as missing:
                self._say(part, f"!!!!!!!! SERVICES MISSING: {missing}")
                if required():
                    self._say(part, "REQUIRE_SERVICES is set, so this is a failure.")
                    return 1, Counter(errors=1)
                empty = {"DATABASE_URL": "", "REDIS_URL": "", "SERVICES_MISSING": str(missing)}
                return self._pytest(part, [*part.arguments, "-m", "services"], **empty)
            return self._pytest(part, [*part.arguments, "-m", "services or both"], **urls)

    def _pytest(self, part: Part, arguments: Sequence[str], **variables: str) -> Outcome:
        """One pytest, its output passed on as it comes."""
        if self._stopped:
            return 2, Counter()
        color = "yes" if sys.stdout.isatty() else "auto"
        command: list[Any] = ["nice", "-n", str(part.nice)] if part.nice else []
        command += [sys.executable, "-m", "pytest", f"--color={color}", *arguments]
        environment = {**os.environ, **variables}
        # Each worker would compile every module again, which takes longer than the slowest test.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        last, wrong = "", self._wrong.setdefault(part, Wrong())
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as child:
            self._children.append(child)
            assert child.stdout is not None
            for line in child.stdout:
                self._say(part, line.rstrip("\n"))
                wrong.read(COLOURS.sub("", line.rstrip("\n")))
                last = (line.strip() and line) or last
        counts: Counter[str] = Counter()
        for number, word in COUNT.findall(COLOURS.sub("", last)):
            counts[{"error": "errors", "warning": "warnings"}.get(word, word)] += int(number)
        return child.returncode, counts

    def _say(self, part: Part, line: str) -> None:
        print(f"{part.name:8} | {line}" if len(self._lanes) > 1 else line, flush=True)


def main(arguments: list[str]) -> int:
    chosen = arguments.pop(0) if arguments and arguments[0] in ("sqlite", "services") else ""
    started = time.monotonic()
    run = Run(lanes(chosen, arguments))
    with tempfile.TemporaryDirectory(prefix="genius-migrated-") as os.environ["MIGRATED"]:
        outcomes = run.outcomes()
    totals = Counter[str]()
    for _, counts in outcomes:
        totals.update(counts)
    totals.pop("deselected", None)  # each part leaves out what belongs to the others
    if len(outcomes) > 1:
        print("\n".join(["", *run.faults]))
        text = ", ".join(f"{number} {word}" for word, number in totals.items()) or "no tests ran"
        print(f"\n{f' {text} in {time.monotonic() - started:.2f}s '.center(80, '=')}")
    return max((code for code, _ in outcomes if code != NO_TESTS), default=NO_TESTS)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped then too
    sys.exit(main(sys.argv[1:]))
