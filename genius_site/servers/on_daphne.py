"""Daphne, with the limits of `door` built into its connections.

They hold for every daphne that serves this site, also one that is started by its own command (`install`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import daphne.server
from channels.routing import get_default_application
from daphne import http_protocol
from daphne.endpoints import build_endpoint_description_strings
from twisted.internet.interfaces import IAddress
from twisted.web import http

from genius_site import door
from genius_site.probes import readiness
from matches.api.replies import ApiError, too_large


def install() -> None:
    """Make daphne build its connections here."""
    daphne.server.HTTPFactory = Factory


class DaphneServer:
    """Serves the site until it is told to stop."""

    def __init__(self, host: str, port: int, on_ready: Callable[[], None]) -> None:
        self._server = daphne.server.Server(
            application=get_default_application(),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            ready_callable=on_ready,
            verbosity=0,
            server_name="genius",
        )

    def run(self) -> None:
        from twisted.internet import reactor

        reactor.addSystemEventTrigger("before", "shutdown", readiness.stopping.set)
        self._server.run()

    def stop(self) -> None:
        from twisted.internet import reactor

        reactor.callFromThread(self._server.stop)


class Factory(http_protocol.HTTPFactory):  # type: ignore[misc]
    """Builds a `Channel` for each connection and counts them."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.timeOut = door.IDLE_SECONDS
        server.websocket_max_message_size = min(
            server.websocket_max_message_size or door.MESSAGE_BYTES, door.MESSAGE_BYTES
        )
        server.websocket_max_frame_size = min(server.websocket_max_frame_size or door.MESSAGE_BYTES, door.MESSAGE_BYTES)
        self._visitors = door.Visitors()

    def protocol(self) -> Channel:
        return Channel()

    def acceptableProtocols(self) -> list[bytes]:
        """HTTP/1.1 only: HTTP/2 would avoid these limits."""
        return [b"http/1.1"]

    def buildProtocol(self, addr: IAddress | None) -> Channel | None:
        """A connection's channel. Over the limit, it only answers so; far over it, None, which hangs up."""
        if self._visitors.is_overrun:
            return None
        channel: Channel = super().buildProtocol(addr)
        channel.requestFactory = Request
        channel.address = self._visitors.counted(getattr(addr, "host", ""))
        channel.is_one_too_many = not self._visitors.enter(channel.address)
        return channel

    def release(self, channel: Channel) -> None:
        """A connection has ended."""
        self._visitors.release(channel.address)


class Channel(http.HTTPChannel):  # type: ignore[misc]
    """A connection that accepts only what `limit_of` its path allows, within a limited time."""

    address = ""
    is_one_too_many = False

    def __init__(self) -> None:
        super().__init__()
        self.is_refused = False
        self._ends: Any = None  # the call that cuts this connection off
        self._thrown_away = 0

    # -- time ------------------------------------------------------------------------------------

    def connectionMade(self) -> None:
        super().connectionMade()
        self._end_after(door.FULL_SECONDS if self.is_one_too_many else door.HEADER_SECONDS)

    def dataReceived(self, data: bytes) -> None:
        if self.is_refused:
            # Read on for a moment: hanging up on a client that is still sending would lose the answer.
            self._thrown_away += len(data)
            if self._thrown_away > door.LINGER_BYTES:
                self.transport.abortConnection()
            return
        if self._ends is None and not self._handlingRequest:
            self._end_after(door.HEADER_SECONDS)
        super().dataReceived(data)

    def _end_after(self, seconds: float | None) -> None:
        """Everything that comes next must have arrived within this time."""
        if self._ends is not None:
            self._ends.cancel()
        self._ends = None if seconds is None else self.callLater(seconds, self._time_is_up)

    def _time_is_up(self) -> None:
        self._ends = None
        if self.is_refused:
            self.transport.abortConnection()
        elif self.requests:
            self._refuse(door.too_slow())
        else:
            self.loseConnection()  # there is no request to answer yet

    # -- size ------------------------------------------------------------------------------------

    def lineReceived(self, line: bytes) -> None:
        if not self.is_refused:
            super().lineReceived(line)

    def allHeadersReceived(self) -> None:
        if self.is_one_too_many:
            self._refuse(door.too_many_connections())
        elif self.length is not None and self.length > self._limit:
            self.refuse_body()
        else:
            self._end_after(door.BODY_SECONDS)
            super().allHeadersReceived()

    def rawDataReceived(self, data: bytes) -> None:
        if not self.is_refused:
            super().rawDataReceived(data)

    def allContentReceived(self) -> None:
        if not self.is_refused:
            self._end_after(None)
            super().allContentReceived()

    @property
    def _limit(self) -> int:
        return door.limit_of(self._path)

    def take(self, size: int) -> bool:
        """Whether a body of this size is within the limit; if not, it is refused."""
        if not self.is_refused and size > self._limit:
            self.refuse_body()
        return not self.is_refused

    def refuse_body(self) -> None:
        """Answer that the body is too large."""
        self._refuse(too_large(self._limit))

    def _refuse(self, error: ApiError) -> None:
        self.is_refused = True
        self.setTimeout(None)
        self._end_after(door.LINGER_SECONDS)
        self.transport.write(door.answer(getattr(self, "_path", b""), error))
        self._networkProducer.unregisterProducer()
        self.transport.loseWriteConnection()

    # -- the end ---------------------------------------------------------------------------------

    def connectionLost(self, reason: Any) -> None:
        self._end_after(None)
        self.factory.release(self)
        super().connectionLost(reason)


class Request(http_protocol.WebRequest):  # type: ignore[misc]
    """daphne's request, which counts its body and leaves parsing of forms to Django."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, parsePOSTFormSubmission=False)
        self._size = 0

    def handleContentChunk(self, data: bytes) -> None:
        self._size += len(data)
        if self.channel.take(self._size):
            super().handleContentChunk(data)

    def process(self) -> Any:
        channel, transport = self.channel, self.transport
        done = super().process()
        if self.transport is None:  # it is a WebSocket now, and the channel is not told of its end
            transport.protocol.is_closed.addBoth(lambda _: channel.factory.release(channel))
        return done
