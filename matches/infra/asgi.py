"""Helpers for answering HTTP requests directly by ASGI, in front of Django, whose overhead costs more than the work.

They read headers and bodies, check what Django would have checked, and send the response.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]


class Gone(Exception):
    """The client has closed the connection."""


class TooLong(Exception):
    """The body has more bytes than allowed."""


def values(scope: Any, name: bytes) -> list[str]:
    """The values of the headers with this name (in lower case), in order."""
    return [value.decode("latin1") for key, value in scope["headers"] if key == name]


def is_plain(scope: Any) -> bool:
    """Whether Django would neither refuse this request's host nor redirect it to https."""
    hosts = values(scope, b"host")
    if len(hosts) != 1 or not _is_allowed(hosts[0], tuple(settings.ALLOWED_HOSTS)):
        return False
    return not settings.SECURE_SSL_REDIRECT or _is_secure(scope)


@lru_cache(maxsize=100)
def _is_allowed(host: str, allowed: tuple[str, ...]) -> bool:
    return validate_host(split_domain_port(host)[0], allowed)


def _is_secure(scope: Any) -> bool:
    if settings.SECURE_PROXY_SSL_HEADER is None:
        return bool(scope.get("scheme") == "https")
    name, value = settings.SECURE_PROXY_SSL_HEADER
    header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
    return [each.split(",")[0].strip() for each in values(scope, header)] == [value]


async def read_body(receive: Receive, most: int, seconds: float) -> bytes:
    """Read a whole body. Raises `Gone`, `TooLong` beyond `most` bytes, or `TimeoutError` after so many `seconds`."""
    body = bytearray()
    async with asyncio.timeout(seconds):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            body += message.get("body", b"")
            if len(body) > most:
                raise TooLong
            if not message.get("more_body", False):
                return bytes(body)


def raw_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI takes them."""
    return [(name.lower().encode(), value.encode()) for name, value in headers]


async def respond(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Send a response, with a Content-Length header."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


# -- bare headers ----------------------------------------------------------------------------------------
# Security headers for responses that bypass Django's middlewares. Such a response holds data for programs or a single
# sentence, and loads nothing.

_STRICT = (
    (("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload"),)
    if settings.SECURE_HSTS_SECONDS
    else ()
)
PROTECTING: tuple[tuple[str, str], ...] = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "same-origin"),
    *_STRICT,
)
"""The headers of every such response; HSTS only if it is configured."""
