"""Deletes what is never needed again, a few rows at a time, so that nobody has to wait for it.

How long each is kept is in `settings.KEPT_DAYS`. Notices, unsent forms and tables of practice have tasks of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet

from matches.models import OutboxRow

_AT_ONCE = 500


def _sessions(now: datetime) -> QuerySet[Any]:
    """Sign-ins that have ended by themselves."""
    return Session.objects.filter(expire_date__lt=now - timedelta(days=settings.KEPT_DAYS["sessions_ended"]))


def _devices(now: datetime) -> QuerySet[Any]:
    """Lines of somebody's list of sign-ins whose sign-in is no longer there."""
    there = Session.objects.filter(session_key=OuterRef("session_key"))
    seen = now - timedelta(days=settings.KEPT_DAYS["sessions_ended"])
    lines: QuerySet[Any] = UserSession.objects.filter(~Exists(there), last_seen_at__lt=seen)
    return lines


def _outbox(now: datetime) -> QuerySet[Any]:
    """News that nothing has passed on for so long that nobody wants to hear them any more."""
    old = now - timedelta(days=settings.KEPT_DAYS["outbox"])
    return OutboxRow.objects.filter(submission__received_at__lt=old)


KINDS: dict[str, Callable[[datetime], QuerySet[Any]]] = {
    "sessions": _sessions,
    "devices": _devices,
    "outbox": _outbox,
}


def clear(now: datetime) -> dict[str, int]:
    """Delete all that is old enough; how many rows of each kind. It can be stopped and run again at any time."""
    return {kind: _delete(rows(now)) for kind, rows in KINDS.items()}


def _delete(rows: QuerySet[Any]) -> int:
    total = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE]):
        count, _ = rows.model._default_manager.filter(pk__in=keys).delete()
        total += count
        if not count:
            break
    return total
