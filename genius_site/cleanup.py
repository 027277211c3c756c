"""Deletes old rows, a few at a time so that nobody has to wait. `settings.KEPT_DAYS` says how long each kind is kept.

Notices and practice tables have tasks of their own.
"""

from collections.abc import Callable, Iterator
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
    """Expired sessions."""
    return Session.objects.filter(expire_date__lt=now - timedelta(days=settings.KEPT_DAYS["sessions_ended"]))


def _devices(now: datetime) -> QuerySet[Any]:
    """Entries of people's lists of sessions whose session is gone, or is deleted now."""
    seen = now - timedelta(days=settings.KEPT_DAYS["sessions_ended"])
    there = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gte=seen)
    lines: QuerySet[Any] = UserSession.objects.filter(~Exists(there), last_seen_at__lt=seen)
    return lines


def _outbox(now: datetime) -> QuerySet[Any]:
    """Outbox rows that nothing has processed for so long that they are no longer news."""
    old = now - timedelta(days=settings.KEPT_DAYS["outbox"])
    return OutboxRow.objects.filter(submission__received_at__lt=old)


def _demo(now: datetime) -> QuerySet[Any]:
    """Demo matches that are over, except those of a season, whose log mentions them."""
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
    """Delete everything old enough; return how many rows of each kind. It can be stopped and run again at any time.

    Leaves out what only the tables' owner may delete, if this process is not the owner.
    """
    ways = {kind: _delete_matches if kind in _BY_OWNERS else delete_in_batches for kind in KINDS}
    return {kind: ways[kind](rows) for kind, rows in _old_enough(now)}


def count(now: datetime) -> dict[str, int]:
    """Return how many rows of each kind `clear` would delete now."""
    return {kind: rows.count() for kind, rows in _old_enough(now)}


def _old_enough(now: datetime) -> Iterator[tuple[str, QuerySet[Any]]]:
    """The rows of each kind that this process may delete now."""
    for kind, rows in KINDS.items():
        if kind not in _BY_OWNERS or database.may_delete_matches():
            yield kind, rows(now)


def _delete_matches(rows: QuerySet[Any]) -> int:
    """Delete matches with everything that refers to them, one at a time; return how many rows."""
    total = 0
    for key in list(rows.order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            total += _delete_whole(Match.objects.filter(pk=key))
    return total


def _delete_whole(rows: QuerySet[Any]) -> int:
    """Delete rows with all that refers to them, even what is protected; return how many of these rows."""
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
