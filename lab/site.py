"""The site in processes of its own, with an empty data folder and demo matches for load tests.

Where the machine has two processors or more, the site has the first and the load generator the others, so that neither
takes the other's time.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_TICKS = os.sysconf("SC_CLK_TCK")
_PROCESSORS = sorted(os.sched_getaffinity(0))


@dataclass
class Process:
    """A running program: where it answers, and what it uses."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """User and system time of all threads so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident_kib(self) -> int:
        """Resident memory."""
        return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())[0])

    def pin(self) -> None:
        """Keep it on the first processor, and this process on the others."""
        if len(_PROCESSORS) > 1:
            for thread in Path(f"/proc/{self.pid}/task").iterdir():
                os.sched_setaffinity(int(thread.name), {_PROCESSORS[0]})
            os.sched_setaffinity(0, set(_PROCESSORS[1:]))


@dataclass
class Site(Process):
    """The running site: its first web process, `webs` all of them; `env` is what other commands of it need, `root`
    where its program is, and `tasks` has the ids of worker and beat."""

    env: dict[str, str]
    webs: list[Process]
    root: Path = ROOT
    tasks: tuple[int, ...] = ()

    def cpu_seconds(self) -> float:
        return sum(web.cpu_seconds() if web is not self else super(Site, self).cpu_seconds() for web in self.webs)

    def get(self, path: str) -> Any:
        """A JSON answer."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def make_matches(self, game: str, matches: int, players: int) -> list[dict[str, Any]]:
        """Running matches whose players never run out of chips: ids, handles, tokens."""
        command = [sys.executable, "manage.py", "demo", "--game", game, "--json", "--yes-really"]
        command += ["--matches", str(matches), "--players", str(players)]
        done = subprocess.run(command, cwd=self.root, env=self.env, capture_output=True, text=True, check=True)
        return list(json.loads(done.stdout)["matches"])


@contextlib.contextmanager
def running_site(database: str = "sqlite", webs: int = 1, **variables: str) -> Iterator[Site]:
    """The embedded server on SQLite, or the full set-up on PostgreSQL and Redis with so many web processes."""
    with (
        embedded_server(pinned=True, **variables)
        if database == "sqlite"
        else full_set_up(webs, ROOT, **variables) as site
    ):
        yield site


@contextlib.contextmanager
def embedded_server(*, pinned: bool = True, **variables: str) -> Iterator[Site]:
    """`manage.py serve` on a free port; `pinned`: on a processor of its own."""
    with tempfile.TemporaryDirectory(prefix="genius-benchmark-") as folder:
        env = {**os.environ, "DATA_DIR": folder, "LOCAL": "1", "ACTION_RATE": "0", "LOG_LEVEL": "ERROR", **variables}
        env.pop("DEBUG", None)
        log = Path(folder) / "log"
        with log.open("wb") as output:
            command = [sys.executable, "manage.py", "serve", "--port", "0"]
            process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=output, stderr=subprocess.STDOUT)
        try:
            site = Site(_port(process, log), process.pid, env, [])
            site.webs.append(site)
            if pinned:
                site.pin()
            yield site
        finally:
            process.terminate()
            process.wait(20)
            print(*log.read_text().splitlines()[2:], sep="\n", file=sys.stderr)


@contextlib.contextmanager
def full_set_up(webs: int, root: Path = ROOT, **variables: str) -> Iterator[Site]:
    """PostgreSQL (which flushes to disk), Redis, a worker, beat, and web processes, by the program in that
    folder. CPU is counted for the webs."""
    from tests.fixtures.postgres import postgres
    from tests.fixtures.processes import free_port
    from tests.fixtures.redis import redis

    with (
        tempfile.TemporaryDirectory(prefix="genius-benchmark-") as folder,
        postgres(fsync="on", full_page_writes="on") as database,
        redis() as redis_url,
        contextlib.ExitStack() as stack,
    ):
        env = {**os.environ, "DATA_DIR": folder, "LOCAL": "1", "ACTION_RATE": "0", "LOG_LEVEL": "ERROR"}
        env |= {"DATABASE_URL": database, "REDIS_URL": redis_url, **variables}
        env.pop("DEBUG", None)
        subprocess.run([sys.executable, "manage.py", "migrate"], cwd=root, env=env, check=True, capture_output=True)

        def start(*command: str) -> int:
            process = subprocess.Popen([sys.executable, "-m", *command], cwd=root, env=env)
            stack.callback(process.wait, 20)
            stack.callback(process.terminate)
            return process.pid

        celery = ("celery", "-A", "genius_site")
        worker = start(*celery, "worker", "--pool", "threads", "--concurrency", "4", "--loglevel", "ERROR")
        beat = start(*celery, "beat", "--schedule", f"{folder}/beat", "--pidfile=", "--loglevel", "ERROR")
        ports = [free_port() for _ in range(webs)]
        found = [
            Process(port, start("daphne", "-v", "0", "-p", str(port), "genius_site.asgi:application")) for port in ports
        ]
        for web in found:
            wait_for(web.port)
        site = Site(found[0].port, found[0].pid, env, found, root, (worker, beat))
        if webs == 1:
            site.pin()
        yield site


def wait_for(port: int) -> None:
    """Wait until a web process answers there."""
    for _ in range(2400):
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/", timeout=5)
            return
        time.sleep(0.05)
    raise SystemExit("a web process did not start")


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    for _ in range(2400):
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text()):
            return int(found[1])
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise SystemExit(f"the server did not start:\n{log.read_text()}")
