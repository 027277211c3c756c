"""A web process that is told to stop takes nobody new, answers what it has begun, and tells live pages to come back."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets import ConnectionClosed, Origin
from websockets.sync.client import ClientConnection, connect

from tests.fixtures.any_game import SLUG
from tests.fixtures.migrated import copy_migrated
from tests.fixtures.processes import ask_until, free_port, running, wait_until

ROOT = Path(__file__).resolve().parents[2]
DEMO = ("demo", "--game", SLUG, "--matches", "1", "--players", "3", "--json", "--yes-really")


class Site:
    """A web process of its own with a running match, which can be started again at the same address."""

    def __init__(self, folder: Path, server: str) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(folder),
            "SECRET_KEY": "x" * 40,
            "SERVER": server,
            "SITE_URL": self.url,
            "EMAIL_URL": "dummy://",
            "LOG_FORMAT": "json",
        }
        copy_migrated(folder / "genius.sqlite3")
        made = json.loads(self._manage(*DEMO))["matches"][0]
        self.match, self.player = made["id"], made["players"][0]

    def _manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True
        ).stdout

    @contextmanager
    def served(self) -> Iterator[subprocess.Popen[bytes]]:
        log = self.folder / "web.log"
        command: list[str | Path] = [sys.executable, "-m", "genius_site.web", "--port", str(self.port)]
        with running(command, log=log, cwd=ROOT, env=self.environment) as process:
            wait_until(self.listens, process, log, seconds=90)
            yield process

    def listens(self) -> bool:
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) == 0

    def watched(self) -> ClientConnection:
        address = f"{self.url.replace('http', 'ws')}/ws/matches/{self.match}/?format=json"
        return connect(address, origin=Origin(self.url), proxy=None)

    def bid(self) -> tuple[bytes, bytes]:
        """A bid with its key, as it is sent: the headers, and the body."""
        seat = self.asked(f"/api/v1/matches/{self.match}/")["public"]["board"][0][0]
        body = json.dumps({"type": "bid", "seat": seat["seat"], "amount": seat["lowest_bid"]}).encode()
        lines = (
            f"POST /api/v1/matches/{self.match}/actions/ HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.player['token']}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "Idempotency-Key: one-click",
            "Expect: 100-continue",
            *("", ""),
        )
        return "\r\n".join(lines).encode(), body

    def asked(self, path: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.player['token']}"}
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers)) as answer:  # noqa: S310
            return json.load(answer)  # type: ignore[no-any-return]


@pytest.fixture(params=["daphne", "uvicorn"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    return Site(tmp_path, request.param)


def until_closed(line: socket.socket) -> bytes:
    return b"".join(iter(lambda: line.recv(65536), b""))


def said(answer: bytes) -> Any:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), answer
    return json.loads(body)


def send(site: Site, head: bytes, body: bytes) -> Any:
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as line:
        line.sendall(head.replace(b"Expect: 100-continue", b"Connection: close") + body)
        return said(until_closed(line))


def test_nothing_that_was_begun_is_lost(site: Site) -> None:
    """The signal comes between the headers of a bid and its body."""
    with site.served() as process:
        head, body = site.bid()
        idle = socket.create_connection(("127.0.0.1", site.port), timeout=30)
        line = socket.create_connection(("127.0.0.1", site.port), timeout=30)
        with idle, line, site.watched() as page:
            known = json.loads(page.recv(timeout=30))["version"]
            line.sendall(head)
            assert line.recv(65536).startswith(b"HTTP/1.1 100")
            process.send_signal(signal.SIGTERM)
            ask_until(lambda: not site.listens())
            with pytest.raises(ConnectionClosed) as closed:
                page.recv(timeout=30)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert idle.recv(1) == b""
            line.sendall(body)
            first = said(until_closed(line))
        assert process.wait(30) == 0
    assert first["accepted"]

    with site.served(), site.watched() as page:
        frame = json.loads(page.recv(timeout=30))
        assert frame["version"] > known
        assert site.player["handle"] in json.dumps(frame["public"]["board"][0][0])
        assert send(site, head, body) == first
