"""`/metrics`: who may read it, and what it says.

Each process tells of itself: Prometheus asks every web process, and the worker, which answers on a port of its own.
What is read from the database is the same wherever it is asked.
"""

from __future__ import annotations

import ipaddress
import secrets
import socketserver
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import structlog
from django.conf import settings
from django.db import connections
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from genius_site.probes.stored import Stored
from matches.infra import metrics

logger = structlog.get_logger(__name__)

TYPE = CONTENT_TYPE_LATEST
_OF_A_PROXY = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")

stored = Stored()
metrics.REGISTRY.register(stored)


def text() -> bytes:
    """All metrics, in Prometheus's text format. Reads the database, in the caller's thread."""
    return generate_latest(metrics.REGISTRY)


def may_read(address: str, headers: Mapping[str, str]) -> bool:
    """Whether somebody may: who sends METRICS_TOKEN, or, where none is set, a program on this machine that asks this
    process itself. A request that a proxy passed on is a stranger's, although the proxy is on this machine.

    `headers`: by their names in small letters.
    """
    token = settings.METRICS_TOKEN
    if token:
        given = headers.get("authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {token}".encode())
    return _is_here(address) and _is_here(_host(headers)) and not any(name in headers for name in _OF_A_PROXY)


def _host(headers: Mapping[str, str]) -> str:
    host = headers.get("host", "")
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_here(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


# -- the worker's own port -----------------------------------------------------------------------


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    timeout = 10  # seconds

    def log_message(self, *_: Any) -> None:
        """Nothing: there would be a line every few seconds."""


def answer(environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """WSGI: the metrics for those who may read them, else 404."""
    headers = {key[5:].replace("_", "-").lower(): value for key, value in environ.items() if key.startswith("HTTP_")}
    if environ["PATH_INFO"] != "/metrics" or not may_read(environ["REMOTE_ADDR"], headers):
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"not found\n"]
    try:
        body = text()
    finally:
        connections.close_all()
    start_response("200 OK", [("Content-Type", TYPE), ("Cache-Control", "no-store")])
    return [body]


def serve(port: int) -> WSGIServer:
    """Answer on a port in threads of this process: to everybody who has the token, else to this machine alone."""
    host = "0.0.0.0" if settings.METRICS_TOKEN else "127.0.0.1"  # noqa: S104 (a container's own network)
    server = make_server(host, port, answer, _Server, _Quiet)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    logger.info("metrics_served", port=server.server_port)
    return server
