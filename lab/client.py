"""The clients that load the site: a small HTTP client, a source of bids, and sockets that record when versions arrive.

They must cost little compared with what is measured.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
from bisect import bisect_left
from collections.abc import Iterable
from time import perf_counter
from typing import Any, NamedTuple, cast


class Connection:
    """One kept-alive connection; one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, token: str, body: dict[str, Any], key: str = "") -> tuple[int, dict[str, Any]]:
        """Post an action, with an Idempotency-Key if given; return the status and the JSON answer."""
        return await self._ask("POST", path, token, json.dumps(body).encode(), key)

    async def get(self, path: str, token: str) -> tuple[int, dict[str, Any]]:
        """Return the status and the JSON answer."""
        return await self._ask("GET", path, token, b"", "")

    async def _ask(self, method: str, path: str, token: str, data: bytes, key: str) -> tuple[int, dict[str, Any]]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        reader, writer = self._streams
        more = f"Idempotency-Key: {key}\r\n" if key else ""
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\n{more}Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = await reader.readuntil(b"\r\n\r\n")
        status, length = int(head[9:12]), 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
        return status, json.loads(await reader.readexactly(length))

    def abandon(self) -> None:
        """Drop the connection, whatever is under way; the next request opens another one."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()


class Table:
    """A match of the load test, and bids that it accepts: the next amount, seat by seat."""

    def __init__(self, made: dict[str, Any], board: dict[str, Any]) -> None:
        self.path = f"/api/v1/matches/{made['id']}/actions/"
        self.id = made["id"]
        self.version = 0
        self._tokens = [player["token"] for player in made["players"]]
        self.seats = [seat["seat"] for row in board["public"]["board"] for seat in row]
        self._number = 0

    def bid(self) -> tuple[str, dict[str, Any]]:
        """Return the next bidder's token and action."""
        number, self._number = self._number, self._number + 1
        # Each round begins with another player, so that nobody outbids themselves.
        seat, lap = number % len(self.seats), number // len(self.seats)
        token = self._tokens[(seat + lap) % len(self._tokens)]
        return token, {"type": "bid", "seat": self.seats[seat], "amount": number + 1}


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the values lies, such as 0.99."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


_VERSION = b'"version":'
_TEXT, _PING = 1, 9


class Endpoint(NamedTuple):
    """What a socket connects to: a port, a path, and a token for players."""

    port: int
    path: str
    token: str = ""


def _only_frame(data: bytes) -> bytes | None:
    """The payload, if the data is one whole frame of a usual size."""
    if len(data) < 4 or data[1] != 126 or len(data) != 4 + int.from_bytes(data[2:4], "big"):
        return None
    return data[4:]


class Listener(asyncio.Protocol):
    """A minimal WebSocket client."""

    def __init__(self, crowd: Crowd, endpoint: Endpoint) -> None:
        self._crowd, self.endpoint = crowd, endpoint
        self._buffer = bytearray()
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.versions: list[int] = []
        self.times: list[float] = []
        self.frames = self.bytes = 0
        self._awaited: tuple[int, asyncio.Future[None]] | None = None
        self.gone = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()
        if not self.opened.done():
            self.opened.set_exception(ConnectionResetError("cut off in the handshake"))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"127.0.0.1:{self.endpoint.port}"
        token = f"Authorization: Bearer {self.endpoint.token}\r\n" if self.endpoint.token else ""
        self.transport.write(
            f"GET {self.endpoint.path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{token}"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if self._is_open and not self._buffer and (payload := _only_frame(data)) is not None:
            self._read(data[0] & 0xF, payload)
            return
        self._buffer += data
        if not self._is_open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0 or self.opened.done():  # or nobody waits any more
                return
            if not self._buffer.startswith(b"HTTP/1.1 101"):
                refusal = bytes(self._buffer[:200])
                self.opened.set_exception(ConnectionRefusedError(f"a socket was refused: {refusal!r}"))
                return
            self._is_open = True
            del self._buffer[: end + 4]
            self.opened.set_result(None)
        while frame := self._take():
            self._read(*frame)

    def _take(self) -> tuple[int, bytes] | None:
        """The opcode and payload of the next whole frame."""
        if len(self._buffer) < 2:
            return None
        length, start = self._buffer[1] & 0x7F, 2
        if length > 125:
            size = 2 if length == 126 else 8
            start += size
            length = int.from_bytes(self._buffer[2:start], "big")
        if len(self._buffer) < start + length:
            return None
        opcode, payload = self._buffer[0] & 0xF, bytes(self._buffer[start : start + length])
        del self._buffer[: start + length]
        return opcode, payload

    def _read(self, opcode: int, payload: bytes) -> None:
        if opcode == _PING:
            self.transport.write(bytes((0x8A, 0x80 | len(payload))) + b"\0\0\0\0" + payload)
        if opcode != _TEXT:
            return
        place = payload.find(_VERSION)  # much faster than a pattern, in a long frame
        if place >= 0:
            start = place + len(_VERSION)
            self.note(int(payload[start : payload.index(b",", start)]), len(payload))

    def note(self, version: int, size: int) -> None:
        """Record a frame of that many bytes with that version."""
        self.frames += 1
        self.bytes += size
        self.versions.append(version)
        self.times.append(perf_counter())
        if self._awaited is not None and version >= self._awaited[0] and not self._awaited[1].done():
            self._awaited[1].set_result(None)
        self._crowd.heard(self)

    async def until(self, version: int) -> None:
        """Wait until this socket has received that version."""
        if not self.has(version):
            self._awaited = (version, self._crowd.loop.create_future())
            await self._awaited[1]
            self._awaited = None

    def has(self, version: int) -> bool:
        return bool(self.versions) and self.versions[-1] >= version

    def heard_at(self, version: int) -> float | None:
        """Return when this socket first received that version or a later one."""
        place = bisect_left(self.versions, version)
        return self.times[place] if place < len(self.times) else None


class Crowd:
    """All sockets of a run."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.listeners: list[Listener] = []
        self._behind: set[Listener] = set()
        self._version = 0
        self._all_have: asyncio.Future[None] | None = None

    async def gather(self, endpoints: Iterable[Endpoint]) -> None:
        """Open the sockets, a few at a time, and wait until each has its first frame."""
        endpoints = list(endpoints)
        for start in range(0, len(endpoints), 50):
            await asyncio.gather(*(self.open(Listener(self, endpoint)) for endpoint in endpoints[start : start + 50]))
        while not all(each.frames for each in self.listeners):
            await asyncio.sleep(0.01)

    async def open(self, listener: Listener) -> None:
        """Connect a socket, and wait for its handshake."""
        await self.loop.create_connection(lambda: listener, "127.0.0.1", listener.endpoint.port)
        self.listeners.append(listener)
        await listener.opened

    def heard(self, listener: Listener) -> None:
        if self._all_have is not None and listener.has(self._version):
            self._behind.discard(listener)
            if not self._behind and not self._all_have.done():
                self._all_have.set_result(None)

    async def until(self, version: int, seconds: float) -> int:
        """Wait until all have that version. Return how many still do not after `seconds`."""
        self._version, self._behind = version, {each for each in self.listeners if not each.has(version)}
        if self._behind:
            self._all_have = self.loop.create_future()
            await asyncio.wait([self._all_have], timeout=seconds)
            self._all_have = None
        return len(self._behind)

    @property
    def frames(self) -> int:
        return sum(each.frames for each in self.listeners)

    @property
    def bytes(self) -> int:
        return sum(each.bytes for each in self.listeners)

    def leave(self) -> None:
        for listener in self.listeners:
            listener.transport.abort()
        self.listeners = []
