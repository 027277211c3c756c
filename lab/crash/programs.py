"""What is struck: programs, which are killed, frozen and started again, and their lines to a database or Redis."""

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
    """`ready`: whether it answers. `options`: those of Popen. Its output stays in `log` through all its lives."""

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
            while not await asyncio.to_thread(self._ready):
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
        """Take connections and bytes, and pass none on until it is healed."""
        self._flows.clear()

    def slow(self) -> None:
        """Hold back whatever the server answers for a moment."""
        self._delay = 0.15

    def heal(self) -> None:
        """Be a plain line again; what was held back goes on its way."""
        self._cut, self._delay = False, 0.0
        self._flows.set()

    async def close(self) -> None:
        """Nobody listens any more."""
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
