"""The site as `make run` starts it (daphne, worker and beat in one child process), and hands that help beside it."""

import contextlib
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fixtures.answering import status_of
from tests.fixtures.migrated import copy_migrated
from tests.fixtures.processes import free_port, running, wait_until

ROOT = Path(__file__).resolve().parents[2]


class Hands:
    """Gives orders to `hands.py` and waits for what comes of them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def order(self, do: str, **details: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **details}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the hands have died; their last words are on standard error")
        answer = json.loads(line)
        if "failed" in answer:
            raise RuntimeError(f"{do}: {answer['failed']}")
        return answer["ok"]


class Server:
    """The running site. It can go away for a while and come back at the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        copy_migrated(folder / "genius.sqlite3")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "PATH": os.environ["PATH"],
            "LOCAL": "1",
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "genius_site.settings",
            "ACTION_RATE": "0",
            "LOG_LEVEL": "WARNING",
        }
        self._running = contextlib.ExitStack()
        self._starts = 0

    @property
    def logs(self) -> str:
        return "\n".join(log.read_text(errors="replace") for log in sorted(self.folder.glob("serve-*.log")))

    def start(self) -> None:
        self._starts += 1
        log = self.folder / f"serve-{self._starts}.log"
        command: list[str | Path] = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        process = self._running.enter_context(running(command, log=log, cwd=ROOT, env=self.environment))
        wait_until(lambda: b"Genius is at" in log.read_bytes(), process, log, seconds=90)
        wait_until(self._is_healthy, process, log, seconds=30)

    def stop(self) -> None:
        self._running.close()

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Within the block nobody answers."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    def _is_healthy(self) -> bool:
        """Only once the beat's first tick has been swept by the worker."""
        return status_of(f"{self.url}/healthz") == 200

    def act(self, match: dict[str, Any], player: dict[str, Any], **action: Any) -> dict[str, Any]:
        """A player's action through the API, as a program of theirs would send it."""
        request = urllib.request.Request(  # noqa: S310
            f"{self.url}/api/v1/matches/{match['id']}/actions/",
            data=json.dumps(action).encode(),
            headers={"Authorization": f"Bearer {player['token']}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.load(answer)  # type: ignore[no-any-return]


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def helping(server: Server) -> Iterator[Hands]:
    """Hands on the server's data."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.browser.hands"],
        cwd=ROOT,
        env=server.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Hands(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(20)
        assert process.stdout is not None
        process.stdout.close()
