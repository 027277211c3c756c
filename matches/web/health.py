"""`/healthz`: whether this process can do its work, for whoever watches over it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.models import clock
from matches.services.deadlines import SWEEP
from matches.services.heartbeat import last_beat

logger = structlog.get_logger(__name__)

OLDEST_SWEEP = timedelta(seconds=10)
_LAYER_SECONDS = 3.0

OK, FAILED = "ok", "failed"


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 where every part works, else 503; a word for each part, how old the last sweep is, and nothing that helps
    an attacker."""
    parts = {name: _checked(name, check) for name, check in _CHECKS.items()}
    healthy = all(state == OK for state in parts.values())
    body = {"status": OK if healthy else FAILED, "parts": parts, "sweep_age_seconds": _sweep_age()}
    return JsonResponse(body, status=200 if healthy else 503)


def _checked(name: str, check: Callable[[], str]) -> str:
    try:
        return check()
    except Exception as error:
        logger.error("health_check_failed", part=name, error=repr(error))
        return FAILED


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return OK if cursor.fetchone() == (1,) else FAILED


def _channel_layer() -> str:
    """A message there and back."""
    return OK if async_to_sync(_round_trip)() else FAILED


async def _round_trip() -> bool:
    layer: Any = get_channel_layer()
    nonce = secrets.token_hex(8)
    async with asyncio.timeout(_LAYER_SECONDS):
        channel = await layer.new_channel()
        await layer.send(channel, {"type": "health", "nonce": nonce})
        message = await layer.receive(channel)
    return bool(message["nonce"] == nonce)


def _sweep() -> str:
    """Deadlines are passed by the sweep: without it a match stands still until somebody opens its page."""
    last = last_beat(SWEEP)
    if last is None:
        return "never ran"
    return OK if clock.now() - last <= OLDEST_SWEEP else "too long ago"


def _sweep_age() -> float | None:
    """Seconds since deadlines were last swept; None where nobody knows."""
    try:
        last = last_beat(SWEEP)
    except Exception:  # the checks have said it already
        return None
    return None if last is None else round(max((clock.now() - last).total_seconds(), 0.0), 1)


_CHECKS = {"database": _database, "channel_layer": _channel_layer, "deadline_sweep": _sweep}
