"""Runs the site in processes of its own, with an empty data folder and demo matches for load tests.

On a machine with two processors or more, the site has the first and the load generator the others, so that neither
takes the other's time.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import msgspec

from lab.client import Table
from matches.engine.game import AnyGame
from matches.games.registry import all_games

ROOT = Path(__file__).resolve().parent.parent
_TICKS = os.sysconf("SC_CLK_TCK")
_PROCESSORS = sorted(os.sched_getaffinity(0))


@dataclass
class Process:
    """A running program, its port, and its use of resources."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Return the user and system time of all threads so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident_kib(self) -> int:
        """Return the resident memory."""
        return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())[0])

    def pin(self) -> None:
        """Keep it on the first processor, and this process on the others."""
        if len(_PROCESSORS) > 1:
            for thread in Path(f"/proc/{self.pid}/task").iterdir():
                os.sched_setaffinity(int(thread.name), {_PROCESSORS[0]})
            os.sched_setaffinity(0, set(_PROCESSORS[1:]))


@dataclass
class Site(Process):
    """The running site; `env` is for other commands of it."""

    env: dict[str, str]

    def get(self, path: str) -> Any:
        """Return a JSON answer."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def table(self, made: dict[str, Any]) -> Table:
        """Return a source of bids for one of its matches."""
        return Table(made, self.get(f"/api/v1/matches/{made['id']}/"))


def auction_game() -> AnyGame:
    """Return the first match type with bids of a seat and an amount, as no game is named here. Exits without one."""
    for game in all_games().values():
        bid = game.actions.get("bid")
        if bid and {"seat", "amount"} <= {field.name for field in msgspec.structs.fields(bid)}:
            return game
    raise SystemExit("no match type here has bids of a seat and an amount")


def make_matches(env: dict[str, str], matches: int, players: int) -> list[dict[str, Any]]:
    """Make running matches whose players never run out of chips; return their ids, handles and tokens."""
    command = [sys.executable, "manage.py", "demo", "--game", auction_game().slug, "--yes-really"]
    command += ["--matches", str(matches), "--players", str(players)]
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return list(json.loads(done.stdout)["matches"])


def enter(env: dict[str, str]) -> None:
    """Set Django up in this process on that site's database, once, for what cannot be done over HTTP."""
    os.environ.update(env, DJANGO_SETTINGS_MODULE="genius_site.settings")
    django.setup()


@contextlib.contextmanager
def program(
    command: list[str], says: str, *, cwd: Path | str = ROOT, env: dict[str, str] | None = None
) -> Iterator[Process]:
    """Run a program on a processor of its own. `says`: a pattern for its output when it is ready, with its port. Prints
    the rest of its output at the end."""
    with (
        tempfile.NamedTemporaryFile("w+") as log,
        subprocess.Popen(command, cwd=cwd, env=env, stdout=log, stderr=subprocess.STDOUT) as process,
    ):
        said = Path(log.name)
        try:
            while not (found := re.search(says, said.read_text(), re.MULTILINE)):
                if process.poll() is not None:
                    raise SystemExit(f"{command} did not start:\n{said.read_text()}")
                time.sleep(0.05)
            started = Process(int(found[1]), process.pid)
            started.pin()
            yield started
        finally:
            process.terminate()
            process.wait(20)
            print(*said.read_text().splitlines()[2:12], sep="\n", file=sys.stderr)


@contextlib.contextmanager
def embedded_server() -> Iterator[Site]:
    """Run `manage.py serve` with an empty data folder."""
    with tempfile.TemporaryDirectory(prefix="genius-benchmark-") as folder:
        env = {**os.environ, "DATA_DIR": folder, "LOCAL": "1", "LOG_LEVEL": "ERROR"}
        env |= {"ACTION_RATE": "0", "SOCKETS_PER_ADDRESS": "100000"}
        env.pop("DEBUG", None)
        command = [sys.executable, "manage.py", "serve", "--port", "0"]
        with program(command, r"http://127\.0\.0\.1:(\d+)/", env=env) as server:
            yield Site(server.port, server.pid, env)
