"""Probes for monitoring: `/livez`, `/readyz`, `/healthz` and `/metrics`."""

import asyncio
import ipaddress
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from time import monotonic
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.exposition import ThreadingWSGIServer

from genius_site import database
from genius_site.metrics import Stored
from matches.infra import db_waits, metrics
from matches.infra.asgi import PROTECTING
from matches.models import clock
from matches.services.outages import SWEEP, last_beat

# -- /healthz: whether every part of the site works ------------------------------------------------------

logger = structlog.get_logger(__name__)

OLDEST_SWEEP = timedelta(seconds=10)
_LAYER_SECONDS = 3.0

OK, FAILED = "ok", "failed"

KEPT_SECONDS = 1.0
"""How long an answer is reused: however often strangers ask, the database is queried once a second."""

_asking = threading.Lock()
_health: tuple[float, dict[str, Any]] = (float("-inf"), {})


def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if every part works, else 503: a word for each part, the age of the last sweep, and how far this
    process's clock is ahead of the database's. Reveals nothing that helps an attacker.

    One thread asks the parts; those who come meanwhile get the last answer, or wait for the first.
    """
    global _health
    at, body = _health
    if monotonic() - at >= KEPT_SECONDS and _asking.acquire(blocking=not body):
        try:
            if _health[0] == at:
                found = _state_of_parts()
                _health = monotonic(), found
        finally:
            _asking.release()
        body = _health[1]
    return JsonResponse(body, status=200 if body["status"] == OK else 503)


def _state_of_parts() -> dict[str, Any]:
    ahead = None
    parts, age = {"database": FAILED, "clock": FAILED, "deadline_sweep": FAILED}, None
    try:
        # A connection of its own, because it must answer soon even if all shared ones are taken.
        with db_waits.alone() as alias:
            parts["database"] = _database(alias)
            parts["clock"], ahead = _clock(alias)
            parts["deadline_sweep"], age = _sweep(alias)
    except Exception as error:
        _note("database", error)
    parts["channel_layer"] = _channel_layer()
    healthy = all(state == OK for state in parts.values())
    status = OK if healthy else FAILED
    return {"status": status, "parts": parts, "sweep_age_seconds": age, "clock_ahead_seconds": ahead}


def _note(part: str, error: Exception) -> None:
    logger.error("health_check_failed", part=part, error=repr(error))


def _database(alias: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT 1")
        return OK if cursor.fetchone() == (1,) else FAILED


def _clock(alias: str) -> tuple[str, float]:
    """Whether this process's clock agrees with the database's, and how many seconds it is ahead. The site uses the
    database's clock; a process whose own is wrong does not sweep."""
    clock.ask(using=alias)
    return "wrong" if clock.is_skewed() else OK, round(clock.skew().total_seconds(), 1)


def _sweep(alias: str) -> tuple[str, float | None]:
    """Whether the sweep is running, and its age in seconds: without it deadlines pass only when a match is used."""
    last = last_beat(SWEEP, using=alias)
    if last is None:
        return "never ran", None
    age = clock.now() - last
    return OK if age <= OLDEST_SWEEP else "too long ago", round(max(age.total_seconds(), 0.0), 1)


def _channel_layer() -> str:
    """Whether a message sent through the channel layer arrives."""
    try:
        return OK if async_to_sync(_round_trip)() else FAILED
    except Exception as error:
        _note("channel_layer", error)
        return FAILED


async def _round_trip() -> bool:
    layer: Any = get_channel_layer()
    nonce = secrets.token_hex(8)
    async with asyncio.timeout(_LAYER_SECONDS):
        channel = await layer.new_channel()
        await layer.send(channel, {"type": "health", "nonce": nonce})
        message = await layer.receive(channel)
    return bool(message["nonce"] == nonce)


# -- probes ----------------------------------------------------------------------------------------------
# Answered before all other middleware, so without session, cookies or a check of the host.
# The first three tell everybody a status; details are in the log, or in `/healthz` as one word for each part.
# `/metrics` exists only for those who may read it; others get the site's usual 404. Each process reports on itself:
# Prometheus asks every web process, and the worker on a port of its own.

_OF_A_PROXY = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
_ready = (float("-inf"), False)

stored = Stored()
metrics.REGISTRY.register(stored)


def livez(request: HttpRequest) -> HttpResponse:
    """Answer at all, which is all that this probe asks."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


def readyz(request: HttpRequest) -> HttpResponse:
    """Whether this process can serve people: its database answers and is migrated. Redis is not checked, since without
    it people can still sign in, play and watch."""
    global _ready
    at, is_ready = _ready
    if monotonic() - at >= KEPT_SECONDS:
        try:
            is_ready = database.is_ready()
        except Exception as error:
            logger.error("not_ready", error=repr(error))
            is_ready = False
        finally:
            connection.close()
        _ready = monotonic(), is_ready
    status, text = (200, "ok\n") if is_ready else (503, "not ready\n")
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


def page(request: HttpRequest) -> HttpResponse | None:
    """Return the metrics for those who may read them, else None."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    if not may_read(request.META.get("REMOTE_ADDR", ""), headers):
        return None
    return HttpResponse(generate_latest(metrics.REGISTRY), content_type=CONTENT_TYPE_LATEST)


PROBES: dict[str, Callable[[HttpRequest], HttpResponse | None]] = {
    "/livez": livez,
    "/readyz": readyz,
    "/healthz": healthz,
    "/metrics": page,
}


class ProbesMiddleware:
    """Answers the probes, and passes on everything else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._site = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        probe = PROBES.get(request.path)
        if probe is None:
            return self._site(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse("only GET and HEAD\n", status=405, content_type="text/plain; charset=utf-8")
        answer = probe(request)
        if answer is None:
            return self._site(request)
        add_never_cache_headers(answer)
        for name, value in PROTECTING:
            answer.headers.setdefault(name, value)
        return answer


def may_read(address: str, headers: Mapping[str, str]) -> bool:
    """Whether a client may read the metrics: one that sends METRICS_TOKEN or, if none is set, a program on this machine
    that asks directly. A request through a proxy counts as a stranger's, even if the proxy is local.

    `headers`: by lower-case names.
    """
    if token := settings.METRICS_TOKEN:
        given = headers.get("authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {token}".encode())
    return _is_here(address) and _is_here(_host(headers)) and not any(name in headers for name in _OF_A_PROXY)


def _host(headers: Mapping[str, str]) -> str:
    host = headers.get("host", "")
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_here(address: str) -> bool:
    try:
        return address == "localhost" or ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


# -- the worker's own port -----------------------------------------------------------------------


class _Quiet(WSGIRequestHandler):
    timeout = 10  # seconds

    def log_message(self, *_: Any) -> None:
        """Log nothing: there would be a line every few seconds."""


def answer(environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer as WSGI: the metrics for those who may read them, else 404."""
    headers = {key[5:].replace("_", "-").lower(): value for key, value in environ.items() if key.startswith("HTTP_")}
    if environ["PATH_INFO"] != "/metrics" or not may_read(environ["REMOTE_ADDR"], headers):
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"not found\n"]
    try:
        body = generate_latest(metrics.REGISTRY)
    finally:
        connections.close_all()
    start_response("200 OK", [("Content-Type", CONTENT_TYPE_LATEST), ("Cache-Control", "no-store")])
    return [body]


def serve(port: int) -> WSGIServer:
    """Serve metrics on a port in threads of this process: to all hosts with a token, else to this machine only."""
    host = "0.0.0.0" if settings.METRICS_TOKEN else "127.0.0.1"  # noqa: S104 (a container's own network)
    server = make_server(host, port, answer, ThreadingWSGIServer, _Quiet)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    logger.info("metrics_served", port=server.server_port)
    return server
