"""Limits of the web server: a request that is too large, too slow or one too many is refused before it is read.

Servers read bodies into memory or onto the disk before they call the application, so limits in the application would
come too late. `servers/` builds these limits into the connections of each server.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from email.utils import formatdate
from http import HTTPStatus
from typing import Protocol

from django.conf import settings

from matches.api.endpoint import HEADERS
from matches.api.replies import ApiError, reply_to
from matches.infra import metrics

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

LINGER_SECONDS = 2.0
LINGER_BYTES = 4 * 1024 * 1024
FULL_SECONDS = 2.0
GOODBYE_SECONDS = 8.0
"""So long a server that was told to stop finishes what it has begun; container engines kill after 10 s."""

RESTARTING = 1012
"""The code by which a WebSocket says that the server comes back: pages connect again within a second."""

_TURNED_AWAY_AT_ONCE = 100
_FILES_BESIDE_CONNECTIONS = 200  # databases, Redis, the log
_PAGES_PER_ADDRESS = 100  # besides its sockets
_HEADS_READ = 64 * 1024


def most_connections() -> int:
    """How many connections are kept at once: the setting, limited by the files that the system allows."""
    if resource is None:
        return int(settings.MOST_CONNECTIONS)
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return int(min(settings.MOST_CONNECTIONS, max(files - _FILES_BESIDE_CONNECTIONS, 10)))


class Visitors:
    """Counts the open connections: all, and per address unless a proxy is in front."""

    def __init__(self) -> None:
        self._addresses: Counter[str] = Counter()
        self._all = 0

    @property
    def is_overrun(self) -> bool:
        """Whether there are so many connections that a new one is answered before it has asked (`turn_away`)."""
        return self._all >= most_connections() + _TURNED_AWAY_AT_ONCE

    @property
    def is_empty(self) -> bool:
        """Whether no connection is open."""
        return self._all == 0

    @staticmethod
    def counted(address: str) -> str:
        """The address to count by; empty behind a proxy, which all connections come from."""
        return "" if settings.ENV.secure_proxy else address

    def enter(self, address: str) -> bool:
        """Count a connection (`release` it later); whether there is room for it."""
        self._all += 1
        metrics.CONNECTIONS.inc()
        self._addresses[address] += bool(address)
        most_of_one = settings.SOCKETS_PER_ADDRESS + _PAGES_PER_ADDRESS
        return self._all <= most_connections() and self._addresses[address] <= most_of_one

    def release(self, address: str) -> None:
        """A connection has ended."""
        self._all -= 1
        metrics.CONNECTIONS.dec()
        self._addresses[address] -= 1
        if self._addresses[address] <= 0:
            del self._addresses[address]


def limit_of(path: bytes) -> int:
    """The most bytes that a body may have at an address."""
    return API_BYTES if _is_api(path) else FORM_BYTES


def too_many_connections() -> ApiError:
    return ApiError(503, "busy", "Too many connections are open. Try again in 5 s.", Retry_After="5")


class Handle(Protocol):
    """What a socket is to the system."""

    def fileno(self) -> int: ...


def turn_away(handle: Handle | None) -> bytes:
    """The answer to one of far too many connections, which is closed right after it, so that it keeps no file.

    What it has sent by now is read: its first line says which kind of answer it wants, and a connection that is closed
    with unread bytes is reset, by which the answer might be lost.
    """
    begun = b""
    with suppress(OSError):  # nothing has come yet, or the system has other handles for sockets
        begun = os.read(handle.fileno(), _HEADS_READ) if handle is not None else b""
    words = begun.partition(b"\r\n")[0].split(b" ")
    return answer(words[1] if len(words) > 1 else b"", too_many_connections())


def too_slow() -> ApiError:
    return ApiError(408, "timeout", "The request did not arrive in time. Send it again.")


def answer(path: bytes, error: ApiError) -> bytes:
    """The whole answer to a request that is not read further: JSON below /api/, a page everywhere else."""
    metrics.REFUSED_AT_THE_DOOR.labels(error.code).inc()
    status = HTTPStatus(error.status)
    if _is_api(path):
        reply = reply_to(error)
        headers, body = [*HEADERS, *reply.headers], reply.body
    else:
        headers = [("Content-Type", "text/html; charset=utf-8"), *HEADERS[1:], *error.headers]
        title, next_step = _FOR_PEOPLE.get(status, _ELSE)
        body = _PAGE.format(title=title, sentence=error.message, next_step=next_step).encode()
    headers += [("Content-Length", str(len(body))), ("Connection", "close"), ("Date", formatdate(usegmt=True))]
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n{head}\r\n".encode() + body


def _is_api(path: bytes) -> bool:
    return path.startswith(b"/api/")


_FOR_PEOPLE = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        "That is too much at once",
        "Nothing was done. Go back in your browser: what you typed is still there. Shorten it, and send it again.",
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: ("Too much is going on", "Nothing was done: reload the page then."),
    HTTPStatus.REQUEST_TIMEOUT: ("That took too long", "Nothing was done: go back in your browser first."),
}
"""Status -> the heading of its page, and what to do now."""

_ELSE = ("We did not understand that", "Nothing was done. Go back in your browser, and reload the page.")

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<h1>{title}</h1>
<p>{sentence} {next_step}</p>
<p><a href="/">Back to the front page</a></p>
"""
