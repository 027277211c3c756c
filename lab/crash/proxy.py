"""A TCP proxy between a program and its database or Redis, which can be cut, stalled or slow."""

from __future__ import annotations

import asyncio
import contextlib


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

    def slow(self, seconds: float) -> None:
        """Hold back whatever the server answers for so long."""
        self._delay = seconds

    def heal(self) -> None:
        """Be a plain line again; what was held back goes on its way."""
        self._cut, self._delay = False, 0.0
        self._flows.set()

    def asked(self, data: bytes) -> bytes:
        """What becomes of bytes on their way to the server; others may change them."""
        return data

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
                writer.write(data if answers else self.asked(data))
                await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            writer.close()
