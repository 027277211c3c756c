"""A program that is killed, frozen and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.fixtures import processes


class Program:
    """`ready`: whether it answers. `options`: those of Popen. Its output stays in `log` through all its lives."""

    def __init__(
        self,
        name: str,
        command: list[str | Path],
        log: Path,
        ready: Callable[[], Awaitable[bool]],
        *,
        stop: signal.Signals = signal.SIGTERM,
        **options: Any,
    ) -> None:
        self.name, self.log, self._command, self._ready = name, log, command, ready
        self._stop, self._options = stop, options
        self._process: subprocess.Popen[bytes] | None = None
        self._frozen: list[int] = []
        self._wanted = False
        self.deaths = 0
        """How often it ended by itself."""

    def start(self) -> None:
        """Begin it; it is not ready yet."""
        self._wanted = True
        self._process = processes.start(self._command, self.log, **self._options)

    def start_if_dead(self) -> None:
        """Begin it again if it has ended by itself: what `restart: unless-stopped` does in docker-compose.yml."""
        if self._wanted and self._process is not None and self._process.poll() is not None:
            self.deaths += 1
            self.start()

    async def until_ready(self, seconds: float = 180) -> None:
        """Wait until it answers; started again where it ended at once, as after the death of a server that holds its
        shared memory for a moment longer. Raises `TimeoutError`."""
        async with asyncio.timeout(seconds):
            while not await self._ready():
                self.start_if_dead()
                await asyncio.sleep(0.1)

    def kill(self) -> None:
        """SIGKILL; what it had begun (the servers of a database) ends by itself."""
        self._wanted = False
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    async def end(self, stop: signal.Signals | None = None) -> None:
        """Stop it in an orderly way."""
        self._wanted = False
        self.thaw()
        if self._process is not None:
            await asyncio.to_thread(processes.end, self._process, stop or self._stop)

    def freeze(self) -> None:
        """SIGSTOP for it and all that it has begun."""
        if self._process is not None:
            self._frozen = _tree(self._process.pid)
            _signal(self._frozen, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        _signal(self._frozen, signal.SIGCONT)
        self._frozen = []


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _tree(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    with contextlib.suppress(FileNotFoundError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError):
                for child in (thread / "children").read_text().split():
                    found += _tree(int(child))
    return found
