"""Rate limits: how fast a person may act and ask."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.http import HttpRequest

from matches.infra.buckets import Buckets

TOO_FAST = "That was too fast, so nothing was done. Wait a few seconds and try again."
"""What pages and chats say to somebody who is over their rate."""

_BURST = 3  # how many seconds of the rate may be used at once


@cache
def action_rates() -> Buckets:
    """The limit on actions and forecasts, per user id, of each process by itself."""
    return Buckets(settings.ACTION_RATE, _BURST * settings.ACTION_RATE)


def wait_to_ask(request: HttpRequest, user_id: int | None) -> float:
    """Count one question: people by account, visitors by address. Returns 0.0, or the seconds to wait."""
    if user_id is not None:
        return action_rates().take(user_id)
    meta = request.META
    return action_rates().take(counted_address(meta.get("HTTP_X_FORWARDED_FOR", ""), meta.get("REMOTE_ADDR", "")))


def counted_address(forwarded: str, peer: str) -> str:
    """The address to count: the peer's, or what a trusted proxy reports (the last of `forwarded`)."""
    if settings.SECURE_PROXY and forwarded:
        return forwarded.rsplit(",", 1)[-1].strip()
    return peer
