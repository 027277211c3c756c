"""ASGI in front of everything else: answers `/livez`, `/readyz` and `/metrics` without session, cookies or host.

The first two tell everybody a status and nothing else: the words for what is missing go to the log. `/metrics` is there
only for those who may read it (`page.may_read`); for everybody else the site says that there is no such page.
`/healthz` is a page of the site, which is given the site's host here: whoever watches asks the process by its address.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from genius_site.probes import page, readiness
from matches.infra.bare_headers import PROTECTING
from matches.infra.db_threads import DatabaseThreads, Overloaded

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answer = tuple[int, bytes]

_OK: Answer = (200, b"ok\n")
_NOT_READY: Answer = (503, b"not ready\n")
_BUSY: Answer = (503, b"busy\n")
_ONLY_READ: Answer = (405, b"only GET and HEAD\n")
_HEADERS = [
    (b"cache-control", b"no-store"),
    *((name.lower().encode(), value.encode()) for name, value in PROTECTING),
]


async def _live() -> Answer:
    """That this is answered at all is the answer."""
    return _OK


async def _ready() -> Answer:
    return _OK if await readiness.of_this_process.why() == readiness.READY else _NOT_READY


_reader = DatabaseThreads("metrics", 1, waiting=5, patience=5.0)


async def _metrics() -> Answer:
    try:
        return 200, await _reader.run(page.text)
    except Overloaded:
        return _BUSY


def _may_read(scope: Any) -> bool:
    headers = {name.decode("latin1").lower(): value.decode("latin1") for name, value in scope["headers"]}
    return page.may_read(str((scope.get("client") or ("",))[0]), headers)


def _at_the_site(scope: Any) -> Any:
    """The same request under the site's own host, which is the only one that it answers to."""
    host = urlsplit(settings.SITE_URL).netloc.encode()
    others = [(name, value) for name, value in scope["headers"] if name.lower() != b"host"]
    return {**scope, "headers": [(b"host", host), *others]}


_PROBES: dict[str, Callable[[], Awaitable[Answer]]] = {"/livez": _live, "/readyz": _ready}


class Probes:
    """Answers the probes, and passes on everything else."""

    def __init__(self, site: Any) -> None:
        self._site = site

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        probe = _metrics if path == "/metrics" and _may_read(scope) else _PROBES.get(path)
        if probe is None:
            await self._site(_at_the_site(scope) if path == "/healthz" else scope, receive, send)
            return
        status, body = await probe() if scope["method"] in ("GET", "HEAD") else _ONLY_READ
        kind = page.TYPE if probe is _metrics else "text/plain; charset=utf-8"
        headers = [*_HEADERS, (b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
