"""`manage.py serve`, as a person starts it: one process, an address, a clean end, the data kept."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fixtures.processes import running, wait_until

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "manage.py", "serve"]


@dataclass
class Served:
    """A running server: its process, its address and what it wrote so far."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """Nothing of the surrounding test run but the PATH: what a fresh machine would have."""
    return {"PATH": os.environ["PATH"], "DATA_DIR": str(data_dir), **more}


@contextmanager
def served(data_dir: Path, *arguments: str, **variables: str) -> Iterator[Served]:
    log = data_dir / "serve.log"
    command = [*COMMAND, "--port", "0", *arguments]
    with running(command, log=log, cwd=ROOT, env=environment(data_dir, **variables)) as process:
        wait_until(lambda: b"Genius is at" in log.read_bytes(), process, log, seconds=90)
        match = re.search(r"http://\S+", log.read_text())
        assert match
        yield Served(process, match[0], log)


def health(url: str) -> dict[str, object]:
    with urllib.request.urlopen(f"{url}healthz", timeout=10) as answer:  # noqa: S310
        return json.load(answer)  # type: ignore[no-any-return]


def healthy(url: str) -> bool:
    try:
        return bool(health(url))
    except urllib.error.HTTPError:
        return False


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_sweeps_and_ends_cleanly(tmp_path: Path, stop: signal.Signals) -> None:
    with served(tmp_path) as server:
        # Healthy only once the embedded beat's tick has been swept by the embedded worker.
        wait_until(lambda: healthy(server.url), server.process, server.log)
        server.process.send_signal(stop)
        assert server.process.wait(30) == 0
    text = server.log.read_text()
    assert "Traceback" not in text
    assert text.rstrip().endswith("Stopped.")


def test_a_second_start_keeps_the_data_and_the_secret(tmp_path: Path) -> None:
    secrets = []
    for _ in range(2):
        with served(tmp_path):
            secrets.append((tmp_path / "secret.txt").read_text())
    assert secrets[0] == secrets[1]
    assert (tmp_path / "secret.txt").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "genius.sqlite3").exists()


def refuse(tmp_path: Path, *arguments: str, **more: str) -> str:
    result = subprocess.run(
        [*COMMAND, *arguments], cwd=ROOT, env=environment(tmp_path, **more), capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        port = server.url.rstrip("/").rpartition(":")[2]
        assert f"cannot listen on 127.0.0.1:{port}" in refuse(tmp_path, "--port", port)


def test_with_redis_it_refuses_to_embed_a_second_beat(tmp_path: Path) -> None:
    assert "REDIS_URL is set" in refuse(tmp_path, "--port", "0", REDIS_URL="redis://127.0.0.1:1/0")
