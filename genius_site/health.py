"""`/healthz`: whether this process can do its work, for monitoring."""

from __future__ import annotations

import asyncio
import secrets
from datetime import timedelta
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connections
from django.http import HttpRequest, JsonResponse

from matches.infra import db_waits
from matches.models import clock
from matches.services.heartbeat import SWEEP, last_beat

logger = structlog.get_logger(__name__)

OLDEST_SWEEP = timedelta(seconds=10)
_LAYER_SECONDS = 3.0

OK, FAILED = "ok", "failed"


def healthz(request: HttpRequest) -> JsonResponse:
    """200 if every part works, else 503; a word for each part, the age of the last sweep, and how far this process's
    own clock is ahead of the database's. Nothing that helps an attacker."""
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
    body = {"status": OK if healthy else FAILED, "parts": parts, "sweep_age_seconds": age, "clock_ahead_seconds": ahead}
    return JsonResponse(body, status=200 if healthy else 503)


def _note(part: str, error: Exception) -> None:
    logger.error("health_check_failed", part=part, error=repr(error))


def _database(alias: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT 1")
        return OK if cursor.fetchone() == (1,) else FAILED


def _clock(alias: str) -> tuple[str, float]:
    """Whether this process's own clock is near the database's, and how many seconds it is ahead. The site goes by the
    database's; a process whose own is wrong does not sweep."""
    clock.ask(using=alias)
    return "wrong" if clock.is_skewed() else OK, round(clock.skew().total_seconds(), 1)


def _sweep(alias: str) -> tuple[str, float | None]:
    """Whether the sweep is running, and its age in seconds: without it deadlines pass only when somebody opens the
    match's page."""
    last = last_beat(SWEEP, using=alias)
    if last is None:
        return "never ran", None
    age = clock.now() - last
    return OK if age <= OLDEST_SWEEP else "too long ago", round(max(age.total_seconds(), 0.0), 1)


def _channel_layer() -> str:
    """Send a message and receive it."""
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
