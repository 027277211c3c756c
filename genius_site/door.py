"""Limits of the web server: a request that is too large, too slow or one too many is refused before it is read.

daphne reads a whole body into memory or onto the disk before it calls the application, so limits in the application
come too late. These limits hold for every daphne that serves this site, however it was started (`install`).
"""

from __future__ import annotations

import sys
from collections import Counter
from http import HTTPStatus
from typing import Any

from daphne import http_protocol
from django.conf import settings
from twisted.internet.interfaces import IAddress
from twisted.web import http

from matches.api.endpoint import HEADERS
from matches.api.replies import ApiError, reply_to, too_large

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

API_BYTES = 16 * 1024
FORM_BYTES = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
MESSAGE_BYTES = 64 * 1024  # of one WebSocket message; the application accepts far less, with an answer

HEADER_SECONDS = 15.0
BODY_SECONDS = 30.0
IDLE_SECONDS = 60.0

_LINGER_SECONDS = 2.0
_LINGER_BYTES = 4 * 1024 * 1024
_TURNED_AWAY_AT_ONCE = 100
_FULL_SECONDS = 2.0
_FILES_BESIDE_CONNECTIONS = 200  # databases, Redis, the log
_PAGES_PER_ADDRESS = 100  # besides its sockets


def install() -> None:
    """Make daphne build its connections here. Does nothing under other servers, which do not read ahead."""
    if "daphne.server" in sys.modules:
        sys.modules["daphne.server"].HTTPFactory = Factory  # type: ignore[attr-defined]


def most_connections() -> int:
    """How many connections are kept at once: the setting, limited by the files that the system allows."""
    if resource is None:
        return int(settings.MOST_CONNECTIONS)
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return int(min(settings.MOST_CONNECTIONS, max(files - _FILES_BESIDE_CONNECTIONS, 10)))


class Factory(http_protocol.HTTPFactory):  # type: ignore[misc]
    """Builds a `Channel` for each connection and counts them: all, and per address unless a proxy is in front."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.timeOut = IDLE_SECONDS
        server.websocket_max_message_size = min(server.websocket_max_message_size or MESSAGE_BYTES, MESSAGE_BYTES)
        server.websocket_max_frame_size = min(server.websocket_max_frame_size or MESSAGE_BYTES, MESSAGE_BYTES)
        self._addresses: Counter[str] = Counter()
        self._all = 0

    def protocol(self) -> Channel:
        return Channel()

    def acceptableProtocols(self) -> list[bytes]:
        """HTTP/1.1 only: HTTP/2 would avoid these limits."""
        return [b"http/1.1"]

    def buildProtocol(self, addr: IAddress | None) -> Channel | None:
        """A connection's channel. Over the limit, it only answers so; far over it, None, which hangs up."""
        most = most_connections()
        if self._all >= most + _TURNED_AWAY_AT_ONCE:
            return None
        channel: Channel = super().buildProtocol(addr)
        channel.requestFactory = Request
        channel.address = "" if settings.ENV.secure_proxy else getattr(addr, "host", "")
        self._all += 1
        self._addresses[channel.address] += bool(channel.address)
        most_of_one = settings.SOCKETS_PER_ADDRESS + _PAGES_PER_ADDRESS
        channel.is_one_too_many = self._all > most or self._addresses[channel.address] > most_of_one
        return channel

    def release(self, channel: Channel) -> None:
        """A connection has ended."""
        self._all -= 1
        self._addresses[channel.address] -= 1
        if self._addresses[channel.address] <= 0:
            del self._addresses[channel.address]


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
        self._end_after(_FULL_SECONDS if self.is_one_too_many else HEADER_SECONDS)

    def dataReceived(self, data: bytes) -> None:
        if self.is_refused:
            # Read on for a moment: hanging up on a client that is still sending would lose the answer.
            self._thrown_away += len(data)
            if self._thrown_away > _LINGER_BYTES:
                self.transport.abortConnection()
            return
        if self._ends is None and not self._handlingRequest:
            self._end_after(HEADER_SECONDS)
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
            self._refuse(ApiError(408, "timeout", "The request did not arrive in time. Send it again."))
        else:
            self.loseConnection()  # there is no request to answer yet

    # -- size ------------------------------------------------------------------------------------

    def lineReceived(self, line: bytes) -> None:
        if not self.is_refused:
            super().lineReceived(line)

    def allHeadersReceived(self) -> None:
        if self.is_one_too_many:
            self._refuse(ApiError(503, "busy", "Too many connections are open. Try again in 5 s.", Retry_After="5"))
        elif self.length is not None and self.length > self._limit:
            self.refuse_body()
        else:
            self._end_after(BODY_SECONDS)
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
        return limit_of(self._path)

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
        self._end_after(_LINGER_SECONDS)
        self.transport.write(answer(getattr(self, "_path", b""), error))
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


def limit_of(path: bytes) -> int:
    """The most bytes that a body may have at an address."""
    return API_BYTES if _is_api(path) else FORM_BYTES


def answer(path: bytes, error: ApiError) -> bytes:
    """The whole answer to a request that is not read further: JSON below /api/, a page everywhere else."""
    status = HTTPStatus(error.status)
    if _is_api(path):
        reply = reply_to(error)
        headers, body = [*HEADERS, *reply.headers], reply.body
    else:
        headers = [("Content-Type", "text/html; charset=utf-8"), *HEADERS[1:], *error.headers]
        body = _PAGE.format(title=status.phrase, sentence=error.message).encode()
    headers += [("Content-Length", str(len(body))), ("Connection", "close")]
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n{head}\r\n".encode() + body


def _is_api(path: bytes) -> bool:
    return path.startswith(b"/api/")


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<h1>{title}</h1>
<p>{sentence}</p>
<p><a href="/">Back to the front page</a></p>
"""
