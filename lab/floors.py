"""The least that the same work can cost, for comparison: a broadcaster without matches and storage. It answers each
POST with the next version, and writes one ready-made frame to every socket."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import sys
from contextlib import AbstractContextManager

from lab.site import Process, program

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class _Connection(asyncio.Protocol):
    sockets: set[_Connection] = set()
    version = 0
    size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._is_socket = False

    def connection_lost(self, _: Exception | None) -> None:
        self.sockets.discard(self)

    def data_received(self, data: bytes) -> None:
        if self._is_socket:
            return
        if data.startswith(b"POST"):
            type(self).version += 1
            body = b'{"versions":{"public":%d}}' % self.version
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            frame = self._frame()
            for socket in self.sockets:
                socket.transport.write(frame)
            return
        key = next(line[19:].strip() for line in data.split(b"\r\n") if line.startswith(b"Sec-WebSocket-Key: "))
        accept = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        self.transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + self._frame()
        )
        self._is_socket = True
        self.sockets.add(self)

    def _frame(self) -> bytes:
        text = b'{"version":%d,"pad":"' % self.version
        text += b"x" * max(self.size - len(text) - 2, 0) + b'"}'
        return b"\x81\x7e" + len(text).to_bytes(2, "big") + text


async def _broadcast(size: int) -> None:
    _Connection.size = min(max(size, 126), 65_000)
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", 0, backlog=2000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def broadcaster(size: int) -> AbstractContextManager[Process]:
    """Run the broadcaster in a process of its own, with frames of `size` bytes."""
    return program([sys.executable, "-m", "lab.floors", str(size)], r"^(\d+)$")


if __name__ == "__main__":
    asyncio.run(_broadcast(int(sys.argv[1])))
