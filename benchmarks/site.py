"""The embedded server in a process of its own, with an empty data folder and demo matches for load tests."""

from __future__ import annotations

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

ROOT = Path(__file__).resolve().parent.parent
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Site:
    """A running server: its address, and the resources that it uses."""

    port: int
    pid: int
    env: dict[str, str]

    def get(self, path: str) -> Any:
        """A JSON answer."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def cpu_seconds(self) -> float:
        """User and system time of all threads so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident_kib(self) -> int:
        """Resident memory."""
        return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())[0])

    def make_matches(self, game: str, matches: int, players: int) -> list[dict[str, Any]]:
        """Running matches whose players never run out of chips: ids, handles, tokens."""
        command = [sys.executable, "manage.py", "demo", "--game", game, "--json"]
        command += ["--matches", str(matches), "--players", str(players)]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=True)
        return list(json.loads(done.stdout)["matches"])


@contextlib.contextmanager
def embedded_server(**variables: str) -> Iterator[Site]:
    """`manage.py serve` on a free port."""
    with tempfile.TemporaryDirectory(prefix="genius-benchmark-") as folder:
        env = {**os.environ, "DATA_DIR": folder, "LOCAL": "1", "ACTION_RATE": "0", "LOG_LEVEL": "ERROR", **variables}
        env.pop("DEBUG", None)
        log = Path(folder) / "log"
        with log.open("wb") as output:
            command = [sys.executable, "manage.py", "serve", "--port", "0"]
            process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield Site(_port(process, log), process.pid, env)
        finally:
            process.terminate()
            process.wait(20)
            print(log.read_text().split("\n", 2)[2].strip(), file=sys.stderr)


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    for _ in range(600):
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text()):
            return int(found[1])
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise SystemExit(f"the server did not start:\n{log.read_text()}")
