"""Daphne, with the limits of `door` built into its connections.

They hold for every daphne that serves this site, also one that is started by its own command (`install`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from http import HTTPStatus
from time import monotonic
from typing import Any

from twisted.internet import asyncioreactor

try:
    import uvloop
except ImportError:  # Windows, which has none
    uvloop = None  # type: ignore[assignment]

if uvloop is not None and "twisted.internet.reactor" not in sys.modules:
    # Before daphne installs a reactor on Python's own loop, which takes a tenth more of the time of a bid. Daphne's
    # own command has done so by now.
    asyncioreactor.install(uvloop.new_event_loop())

import daphne.server
from channels.routing import get_default_application
from daphne import http_protocol
from daphne.endpoints import build_endpoint_description_strings
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import defer
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Protocol
from twisted.internet.task import deferLater
from twisted.web import http

from genius_site import door
from genius_site.probes import readiness
from matches.api.replies import ApiError, too_large


def install() -> None:
    """Make daphne build its connections here, and call every status by its name."""
    daphne.server.HTTPFactory = Factory
    http.RESPONSES.update({status.value: status.phrase.encode() for status in HTTPStatus})


class DaphneServer:
    """Serves the site until it is told to stop."""

    def __init__(self, host: str, port: int, on_ready: Callable[[], None]) -> None:
        self._server = DrainingServer(
            application=get_default_application(),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            ready_callable=on_ready,
            verbosity=0,
            server_name="genius",
        )

    def run(self) -> None:
        self._server.run()

    def stop(self) -> None:
        from twisted.internet import reactor

        reactor.callFromThread(self._server.stop)


class DrainingServer(daphne.server.Server):  # type: ignore[misc]
    """Daphne, which at its end finishes the requests that it has begun; its own version cancels them, so that an
    action may be stored without its answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ports: list[Any] = []

    def listen_success(self, port: Any) -> None:
        self._ports.append(port)
        super().listen_success(port)

    def kill_all_applications(self) -> defer.Deferred[None]:
        """What daphne does before its loop ends; the loop waits for it."""
        readiness.stopping.set()
        return defer.Deferred.fromCoroutine(self._drain())

    async def _drain(self) -> None:
        from twisted.internet import reactor

        end = monotonic() + door.GOODBYE_SECONDS
        for port in self._ports:
            await defer.maybeDeferred(port.stopListening)
        self.http_factory.finish()
        while monotonic() < end and not self._is_drained():
            await deferLater(reactor, _DRAIN_EVERY, self._close_sockets)
        for running in self._running():
            running.cancel()

    def _close_sockets(self) -> None:
        for protocol in list(self.connections):
            if isinstance(protocol, WebSocketProtocol) and protocol.state == protocol.STATE_OPEN:
                protocol.sendCloseFrame(code=door.RESTARTING)

    def _is_drained(self) -> bool:
        return self.http_factory.is_empty and not self._running()

    def _running(self) -> list[Any]:
        """The application's futures that have not ended."""
        known = [details.get("application_instance") for details in self.connections.values()]
        return [each for each in known if each is not None and not each.done()]


_DRAIN_EVERY = 0.02  # seconds


class TurnedAway(Protocol):  # type: ignore[misc]
    """One of far too many connections: it is answered at once and closed."""

    def connectionMade(self) -> None:
        self.transport.write(door.turn_away(self.transport.getHandle()))
        self.transport.loseConnection()


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
        self._channels: set[Channel] = set()

    def protocol(self) -> Channel:
        return Channel()

    @property
    def is_empty(self) -> bool:
        """Whether no connection is open."""
        return self._visitors.is_empty

    def finish(self) -> None:
        """Serve what has been asked, and nothing that is asked after it."""
        for channel in list(self._channels):
            channel.finish()

    def acceptableProtocols(self) -> list[bytes]:
        """HTTP/1.1 only: HTTP/2 would avoid these limits."""
        return [b"http/1.1"]

    def buildProtocol(self, addr: IAddress | None) -> Channel | TurnedAway:
        """A connection's channel. Over the limit it only answers so; far over it, before it is asked."""
        if self._visitors.is_overrun:
            return TurnedAway()
        channel: Channel = super().buildProtocol(addr)
        channel.requestFactory = Request
        channel.address = self._visitors.counted(getattr(addr, "host", ""))
        channel.is_one_too_many = not self._visitors.enter(channel.address)
        self._channels.add(channel)
        return channel

    def hand_over(self, channel: Channel) -> None:
        """A connection has become a WebSocket: it still counts, but is none of HTTP's any more."""
        self._channels.discard(channel)

    def release(self, channel: Channel) -> None:
        """A connection has ended."""
        self._channels.discard(channel)
        self._visitors.release(channel.address)


class Channel(http.HTTPChannel):  # type: ignore[misc]
    """A connection that accepts only what `limit_of` its path allows, within a limited time."""

    address = ""
    is_one_too_many = False

    def __init__(self) -> None:
        super().__init__()
        self.is_refused = False
        self._is_last = False  # the present request
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

    def finish(self) -> None:
        """End this connection: at once, or when the request that has begun to come in is answered."""
        self._is_last = True
        self.persistent = False
        if not self.requests:
            self.loseConnection()

    def checkPersistence(self, request: Any, version: bytes) -> bool:
        return not self._is_last and bool(super().checkPersistence(request, version))

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
            channel.factory.hand_over(channel)
            transport.protocol.is_closed.addBoth(lambda _: channel.factory.release(channel))
        return done
