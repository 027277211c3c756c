"""Counts and times the requests of this process."""

from __future__ import annotations

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

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
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
