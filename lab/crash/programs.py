"""Programs that can be killed, frozen and restarted, and proxies in front of the database and Redis."""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fixtures import processes


class Program:
    """A program. `ready`: whether it answers. `options`: for Popen. Its output goes to `log`, across restarts."""

    def __init__(
        self,
        name: str,
        command: list[str | Path],
        log: Path,
        ready: Callable[[], bool],
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
        """Start it, without waiting until it is ready."""
        self._wanted = True
        self._process = processes.start(self._command, self.log, **self._options)

    def start_if_dead(self) -> None:
        """Restart it if it has ended by itself, like `restart: unless-stopped` in docker-compose.yml."""
        if self._wanted and self._process is not None and self._process.poll() is not None:
            self.deaths += 1
            self.start()

    async def until_ready(self, seconds: float = 180) -> None:
        """Wait until it answers. Restarts it if it ends at once, as when a dead server still holds its shared memory.
        Raises `TimeoutError`."""
        async with asyncio.timeout(seconds):
            while not await asyncio.to_thread(self._ready):
                self.start_if_dead()
                await asyncio.sleep(0.1)

    def kill(self) -> None:
        """Send SIGKILL; its children (a database's servers) end by themselves."""
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
        """Send SIGSTOP to it and all its children."""
        if self._process is not None:
            self._frozen = _tree(self._process.pid)
            _signal(self._frozen, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it continue."""
        _signal(self._frozen, signal.SIGCONT)
        self._frozen = []


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _tree(pid: int) -> list[int]:
    """The ids of a process and all below it."""
    found = [pid]
    with contextlib.suppress(FileNotFoundError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError):
                for child in (thread / "children").read_text().split():
                    found += _tree(int(child))
    return found


class Proxy:
    """Listens on one port of this machine and passes bytes on to another."""

    def __init__(self, port: int, target: int) -> None:
        self.port, self._target = port, target
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.StreamWriter] = set()
        self._cut = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._delay = 0.0

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    def cut(self) -> None:
        """Reset every connection, and each new one at once."""
        self._cut = True
        for line in self._lines:
            line.transport.abort()

    def stall(self) -> None:
        """Accept connections and bytes, and pass none on until it heals."""
        self._flows.clear()

    def slow(self) -> None:
        """Delay all answers of the server a little."""
        self._delay = 0.15

    def heal(self) -> None:
        """Work normally again, passing on what was held back."""
        self._cut, self._delay = False, 0.0
        self._flows.set()

    async def close(self) -> None:
        """Stop listening."""
        self.cut()
        if self._server is not None:
            self._server.close()
        while self._lines:
            await asyncio.sleep(0.01)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        try:
            await self._flows.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # the server is away
            writer.transport.abort()
            return
        self._lines |= {writer, far_writer}
        try:
            ways = (self._pass(reader, far_writer, answers=False), self._pass(far_reader, writer, answers=True))
            await asyncio.gather(*ways)
        finally:
            self._lines -= {writer, far_writer}
            for each in (writer, far_writer):
                each.transport.abort()
            await asyncio.sleep(0)  # then they are closed

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._flows.wait()
                if answers and self._delay:
                    await asyncio.sleep(self._delay)
                writer.write(data)
                await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            writer.close()
