"""`manage.py serve`, as a person starts it: one process, an address, a clean end, the data kept."""

import http.client
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from tests.fixtures.answering import status_of
from tests.fixtures.migrated import copy_migrated
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
    if not (data_dir / "genius.sqlite3").exists():
        copy_migrated(data_dir / "genius.sqlite3")
    log = data_dir / "serve.log"
    command = [*COMMAND, "--port", "0", *arguments]
    with running(command, log=log, cwd=ROOT, env=environment(data_dir, **variables)) as process:
        wait_until(lambda: b"Genius is at" in log.read_bytes(), process, log, seconds=90)
        match = re.search(r"http://\S+", log.read_text())
        assert match
        yield Served(process, match[0], log)


def whole_addresses_lead_back_here(server: Served) -> None:
    """In mails, feeds and previews too, whatever port was asked for."""
    with urllib.request.urlopen(f"{server.url}robots.txt", timeout=10) as answer:  # noqa: S310
        assert answer.read().decode().endswith(f"Sitemap: {server.url}sitemap.xml\n")


def answers_are_as_http_wants_them(server: Served) -> None:
    """Each has one date, each status its name, and no body no length."""
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port or 0, timeout=10)
    connection.request("GET", "/api/openapi.json")
    first = connection.getresponse()
    first.read()
    connection.request("GET", "/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    second = connection.getresponse()
    second.read()
    connection.request("GET", "/", headers={"Content-Type": "x; a*=undefined''%61"})
    odd = connection.getresponse()
    odd.read()
    assert odd.status == 200
    connection.request("POST", "/accounts/login/", "x" * 300_000)
    refused = connection.getresponse()
    assert (second.status, refused.status) == (304, 413)
    assert second.headers["Content-Length"] is None
    for answer in (first, second, refused):
        assert answer.reason == HTTPStatus(answer.status).phrase
        assert len(answer.headers.get_all("Date") or []) == 1
    connection.close()


def healthy(url: str) -> bool:
    return status_of(f"{url}healthz", seconds=10) == 200


def test_it_serves_ends_cleanly_and_goes_on_where_it_was(tmp_path: Path) -> None:
    """Started twice on one folder, ended by either signal."""
    secrets = []
    for stop in (signal.SIGINT, signal.SIGTERM):
        with served(tmp_path) as server:
            # Healthy only once the embedded beat's tick has been swept by the embedded worker.
            wait_until(lambda: healthy(server.url), server.process, server.log)
            secrets.append((tmp_path / "secret.txt").read_text())
            whole_addresses_lead_back_here(server)
            too_much_is_refused(server)
            answers_are_as_http_wants_them(server)
            if stop == signal.SIGINT:
                a_port_in_use_is_said_in_one_line(tmp_path, server)
            server.process.send_signal(stop)
            assert server.process.wait(30) == 0
        text = server.log.read_text()
        assert "Traceback" not in text
        assert text.rstrip().endswith("Stopped.")
    assert secrets[0] == secrets[1]
    assert (tmp_path / "secret.txt").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "genius.sqlite3").exists()


def a_port_in_use_is_said_in_one_line(tmp_path: Path, server: Served) -> None:
    port = server.url.rstrip("/").rpartition(":")[2]
    assert f"cannot listen on 127.0.0.1:{port}" in refuse(tmp_path, "--port", port)


def too_much_is_refused(server: Served) -> None:
    """With a code for programs, with a sentence for people; also where no length is said before."""
    for path, most, kind in (
        ("/api/v1/matches/x/actions/", 16, "application/problem+json"),
        ("/accounts/login/", 256, "text/html"),
    ):
        body = b"a" * (most * 1024 + 1)
        for sent in (body, iter([body])):
            connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
            connection.request("POST", path, sent)
            answer = connection.getresponse()
            assert (answer.status, answer.headers.get_content_type()) == (413, kind)
            assert f"You can send at most {most} KiB here." in answer.read().decode()
            connection.close()


def refuse(tmp_path: Path, *arguments: str, **more: str) -> str:
    result = subprocess.run(
        [*COMMAND, *arguments], cwd=ROOT, env=environment(tmp_path, **more), capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    return result.stderr
