"""Deletes what is never needed again, a few rows at a time, so that nobody has to wait for it.

How long each is kept is in `settings.KEPT_DAYS`. Notices and tables of practice have tasks of their own.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import SET_NULL, Exists, OuterRef, QuerySet

from genius_site import database
from matches.infra.db_waits import AT_ONCE, delete_in_batches
from matches.models import Match, OutboxRow


def _sessions(now: datetime) -> QuerySet[Any]:
    """Sign-ins that have ended by themselves."""
    return Session.objects.filter(expire_date__lt=now - timedelta(days=settings.KEPT_DAYS["sessions_ended"]))


def _devices(now: datetime) -> QuerySet[Any]:
    """Lines of somebody's list of sign-ins whose sign-in is no longer there, or goes now."""
    seen = now - timedelta(days=settings.KEPT_DAYS["sessions_ended"])
    there = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gte=seen)
    lines: QuerySet[Any] = UserSession.objects.filter(~Exists(there), last_seen_at__lt=seen)
    return lines


def _outbox(now: datetime) -> QuerySet[Any]:
    """News that nothing has passed on for so long that nobody wants to hear them any more."""
    old = now - timedelta(days=settings.KEPT_DAYS["outbox"])
    return OutboxRow.objects.filter(submission__received_at__lt=old)


def _demo(now: datetime) -> QuerySet[Any]:
    """Matches that the demo has made and that are over. Those of a season stay: its log speaks of them."""
    old = now - timedelta(days=settings.KEPT_DAYS["demo"])
    return Match.objects.filter(is_demo=True, status__in=Match.OVER, finished_at__lt=old, in_season=None)


KINDS: dict[str, Callable[[datetime], QuerySet[Any]]] = {
    "sessions": _sessions,
    "devices": _devices,
    "outbox": _outbox,
    "demo": _demo,
}
_BY_OWNERS = {"demo"}


def clear(now: datetime) -> dict[str, int]:
    """Delete all that is old enough; how many rows of each kind. It can be stopped and run again at any time.

    What only the owner of the tables may delete is left out by everybody else.
    """
    left = set() if database.may_delete_matches() else _BY_OWNERS
    ways = {kind: _delete_matches if kind in _BY_OWNERS else delete_in_batches for kind in KINDS}
    return {kind: ways[kind](rows(now)) for kind, rows in KINDS.items() if kind not in left}


def count(now: datetime) -> dict[str, int]:
    """How many rows of each kind `clear` would delete now."""
    return {kind: rows(now).count() for kind, rows in KINDS.items()}


def _delete_matches(rows: QuerySet[Any]) -> int:
    """Delete matches with all that they have, one at a time; how many rows that were."""
    total = 0
    for key in list(rows.order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            total += _delete_whole(Match.objects.filter(pk=key))
    return total


def _delete_whole(rows: QuerySet[Any]) -> int:
    """Delete rows with all that belongs to them, also what is protected from going by accident; how many of these."""
    keys, count = list(rows.values_list("pk", flat=True)), 0
    for start in range(0, len(keys), AT_ONCE):
        some = keys[start : start + AT_ONCE]
        for field in rows.model._meta.get_fields(include_hidden=True):
            if field.auto_created and (field.one_to_many or field.one_to_one) and not field.concrete:
                others = field.related_model._base_manager.filter(**{f"{field.field.name}__in": some})
                if field.on_delete is SET_NULL:
                    others.update(**{field.field.name: None})
                else:
                    _delete_whole(others)
        count += rows.model._base_manager.filter(pk__in=some)._raw_delete(rows.db)
    return count
