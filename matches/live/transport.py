"""Sending to a socket without waiting for it.

The hub must never wait for a slow peer, which would delay all others. And most of the cost of a delivery is that the
server encodes the same frame again for each socket. Only this module knows how to look into daphne's send buffers and
how to send a frame that is already encoded; other servers get plain ASGI.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any

import structlog

logger = structlog.get_logger(__name__)

Send = Callable[[dict[str, Any]], Awaitable[None]]

_MOST_BUFFERED = 256 * 1024
_OPEN = 3  # autobahn's WebSocketProtocol.STATE_OPEN


class Frame:
    """A text and its encoded WebSocket frame, built once for all sockets."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def octets(self) -> bytes:
        """The whole frame as a server sends it: final, text, not masked (RFC 6455, 5.2)."""
        data = self.text.encode()
        if len(data) < 126:
            head = bytes((0x81, len(data)))
        elif len(data) < 1 << 16:
            head = b"\x81\x7e" + len(data).to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + len(data).to_bytes(8, "big")
        return head + data


class Transport:
    """Sends to one socket by plain ASGI. A slow peer shows if the server's `send` waits."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._unsent: deque[dict[str, Any]] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def is_behind(self) -> bool:
        """Whether the peer is slow: too much of what was sent is still buffered."""
        return sum(len(each.get("text", "")) for each in self._unsent) > _MOST_BUFFERED

    def offer(self, frame: Frame) -> bool:
        """Send a frame as soon as the server takes it, unless the peer is behind. Returns whether it is sent."""
        if self.is_behind:
            return False
        self._put({"type": "websocket.send", "text": frame.text})
        return True

    def close(self, code: int) -> None:
        """Close the socket with this code, after what is still to be sent."""
        message = {"type": "websocket.close", "code": code}
        if self.is_behind:
            self._closing = asyncio.ensure_future(self._say(message))
        else:
            self._put(message)

    def _put(self, message: dict[str, Any]) -> None:
        self._unsent.append(message)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.ensure_future(self._say_all())

    async def _say_all(self) -> None:
        while self._unsent:
            await self._say(self._unsent[0])
            self._unsent.popleft()

    async def _say(self, message: dict[str, Any]) -> None:
        try:
            await self._send(message)
        except Exception as error:
            # Usually the peer is gone, and its own `receive` will say so.
            logger.warning("socket_send_failed", error=repr(error))


class DaphneTransport(Transport):
    """Sends to one socket of daphne, which never waits but buffers: looks into its buffer, and bypasses autobahn."""

    def __init__(self, send: Send, protocol: Any) -> None:
        super().__init__(send)
        self._protocol = protocol
        self._transport = protocol.transport

    @property
    def _buffered(self) -> int:
        transport = self._transport
        return len(transport.dataBuffer) - transport.offset + transport._tempDataLen  # type: ignore[no-any-return]

    @property
    def is_behind(self) -> bool:
        return self._buffered > _MOST_BUFFERED

    def offer(self, frame: Frame) -> bool:
        # This runs for each socket and push, where properties and calls would cost as much as the rest.
        protocol, transport = self._protocol, self._transport
        buffered = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
        if buffered > _MOST_BUFFERED:
            return False
        if protocol.state != _OPEN or protocol.send_queue or self._unsent or not transport.connected:
            return super().offer(frame)  # opening, closing, or gone: leave that to daphne
        octets, sent = frame.octets, 0
        if not buffered:
            try:
                sent = transport.socket.send(octets)
            except (BlockingIOError, InterruptedError):
                pass
            except OSError:
                return True  # the connection is lost; Twisted will notice when it next reads
        if sent < len(octets):
            transport.write(octets[sent:])
        return True


def transport_of(send: Send) -> Transport:
    """The best transport for this server. `send` must be as the server gave it to the ASGI application."""
    arguments: tuple[Any, ...] = getattr(send, "args", ())
    protocol = arguments[0] if len(arguments) == 1 else None
    transport = getattr(protocol, "transport", None)
    known = ("dataBuffer", "offset", "_tempDataLen", "socket", "connected")
    if all(hasattr(transport, name) for name in known) and hasattr(protocol, "send_queue"):
        return DaphneTransport(send, protocol)
    return Transport(send)
