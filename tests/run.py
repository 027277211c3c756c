"""The whole suite: once on SQLite, once (the `services` and `both` tests) on real PostgreSQL and Redis.

    .venv/bin/python tests/run.py [sqlite|services] [arguments for pytest]

The database is chosen by Django's settings, so each run is a pytest of its own; the last line adds them up. Without
arguments, the runs on SQLite, without browsers and with them, have as many workers as there are processors, four at
most (WORKERS says how many else). A worker shares nothing with another: it has its own database, Redis database and,
for browser tests, its own site and browser.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fixtures.postgres import postgres  # noqa: E402
from tests.fixtures.processes import NotAvailable, required  # noqa: E402
from tests.fixtures.redis import redis  # noqa: E402

COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?)\b")
NO_TESTS = 5  # pytest's code


def main(arguments: list[str]) -> int:
    runs = [arguments.pop(0)] if arguments and arguments[0] in ("sqlite", "services") else ["sqlite", "services"]
    started, totals, codes = time.monotonic(), Counter[str](), []
    for run in runs:
        print(f"\n######## {run} ########", flush=True)
        for code, counts in on_sqlite(arguments) if run == "sqlite" else [on_services(arguments)]:
            codes.append(code)
            totals.update(counts)
    totals.pop("deselected", None)  # each run leaves out what belongs to the other
    worst = max((code for code in codes if code != NO_TESTS), default=NO_TESTS)
    if len(codes) > 1:
        text = ", ".join(f"{number} {word}" for word, number in totals.items()) or "no tests ran"
        print(f"\n{f' {text} in {time.monotonic() - started:.2f}s '.center(80, '=')}")
    return worst


def workers() -> list[str]:
    """Arguments for pytest."""
    count = int(os.environ.get("WORKERS") or min(os.cpu_count() or 1, 4))
    return ["-n", str(count)] if count > 1 else []


def on_sqlite(arguments: list[str]) -> Iterator[tuple[int, Counter[str]]]:
    for part in [arguments] if arguments else [[*workers(), "-m", "not browser"], [*workers(), "-m", "browser"]]:
        yield pytest(part, DATABASE_URL="", REDIS_URL="")


def on_services(arguments: list[str]) -> tuple[int, Counter[str]]:
    """Starts both servers, runs, stops them; without them the tests are skipped in one loud line, or fail in CI."""
    with contextlib.ExitStack() as stack:
        try:
            urls = {"DATABASE_URL": stack.enter_context(postgres()), "REDIS_URL": stack.enter_context(redis())}
        except NotAvailable as missing:
            print(f"!!!!!!!! SERVICES MISSING: {missing}", flush=True)
            if required():
                print("REQUIRE_SERVICES is set, so this is a failure.")
                return 1, Counter(errors=1)
            return pytest([*arguments, "-m", "services"], DATABASE_URL="", REDIS_URL="", SERVICES_MISSING=str(missing))
        # Whole files to a worker: some share a server, or processes that race, for all of their tests.
        parallel = [] if arguments else [*workers(), "--dist", "loadfile"]
        return pytest([*parallel, *arguments, "-m", "services or both"], **urls)


def pytest(arguments: list[str], **variables: str) -> tuple[int, Counter[str]]:
    """One pytest, its output passed on as it comes; its exit code and the numbers of its last line come back."""
    color = "yes" if sys.stdout.isatty() else "auto"
    command = [sys.executable, "-m", "pytest", f"--color={color}", *arguments]
    last = ""
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            print(line, end="", flush=True)
            last = (line.strip() and line) or last
    counts: Counter[str] = Counter()
    for number, word in COUNT.findall(re.sub(r"\x1b\[[0-9;]*m", "", last)):
        counts[{"error": "errors", "warning": "warnings"}.get(word, word)] += int(number)
    return child.returncode, counts


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped then too
    sys.exit(main(sys.argv[1:]))
