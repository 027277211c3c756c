"""Counts and times the requests of this process, and how late its event loop comes round."""

from __future__ import annotations

import asyncio
from functools import cache
from time import perf_counter
from typing import Any

from prometheus_client import Counter, Histogram

from matches.infra import metrics

ROUTES = {
    "accounts": "account",
    "admin": "admin",
    "api": "api",
    "profile": "account",
    "static": "static",
}
"""The class of an address by its first part; all others are pages. A label never has a value that people choose."""

_EVERY_SECONDS = 0.5


def route_of(path: str) -> str:
    """The class that a path is counted in."""
    if path.startswith("/api/v1/matches/") and path.endswith("/actions/"):
        return "action"
    return ROUTES.get(path[1:].partition("/")[0], "page")


@cache
def _metrics_of(route: str, status: str) -> tuple[Counter, Histogram]:
    """With their labels, because finding those costs more than counting."""
    return metrics.REQUESTS.labels(route, status), metrics.REQUEST_SECONDS.labels(route)


class Counted:
    """ASGI around the site: counts each request when its answer has been sent."""

    def __init__(self, site: Any) -> None:
        self._site = site
        self._watching: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self._watch_loop()
        if scope["type"] != "http":
            await self._site(scope, receive, send)
            return
        start, status = perf_counter(), "none"

        async def sent(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        route = route_of(scope["path"])
        try:
            await self._site(scope, receive, sent)
        finally:
            count, seconds = _metrics_of(route, status)
            count.inc()
            seconds.observe(perf_counter() - start)

    def _watch_loop(self) -> None:
        """From the first request on: servers do not tell when their loop begins."""
        if self._watching is None or self._watching.done():
            self._watching = asyncio.get_running_loop().create_task(_note_lag())


async def _note_lag() -> None:
    while True:
        start = perf_counter()
        await asyncio.sleep(_EVERY_SECONDS)
        metrics.LOOP_LAG.observe(max(perf_counter() - start - _EVERY_SECONDS, 0.0))
