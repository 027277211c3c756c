"""Deletes what nobody needs any more, so that no table grows without bound."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q, QuerySet

from notices.match_webhooks.desks import DESKS
from notices.models import Delivery, Notice, PublicPost
from notices.services.reading import mark_rows_read
from notices.services.retiring import lapsed

READ = timedelta(days=settings.KEPT_DAYS["notices_read"])
"""So long what has been read is kept, and how anything was sent."""

UNREAD = timedelta(days=settings.KEPT_DAYS["notices_unread"])
"""So long what has not been read is kept."""

MOST = 500
"""So many notices of one person are kept, the latest."""

_AT_ONCE = 500


def tidy(now: datetime) -> int:
    """Delete old notices and deliveries; how many rows that were. It can be stopped and run again at any time."""
    mark_rows_read(Notice.objects.filter(lapsed(), read_at=None))
    done = Delivery.objects.filter(notice__at__lt=now - READ).exclude(status=Delivery.Status.WAITING)
    old = Notice.objects.filter(Q(at__lt=now - READ, read_at__isnull=False) | Q(at__lt=now - UNREAD))
    posts = [desk.posts._default_manager.filter(at__lt=now - READ) for desk in DESKS]
    posted = sum(_delete(each.exclude(status=PublicPost.Status.WAITING)) for each in posts)
    return posted + _delete(done) + _delete(old) + sum(_delete(rows) for rows in _too_many())


def _too_many() -> list[QuerySet[Notice]]:
    """For each person who has more than `MOST` notices, those before the latest `MOST`."""
    many = Notice.objects.order_by().values("user").annotate(count=Count("pk")).filter(count__gt=MOST)
    found = []
    for user in many.values_list("user", flat=True):
        own = Notice.objects.filter(user=user)
        last = own.order_by("-pk").values_list("pk", flat=True)[MOST - 1]
        found.append(own.filter(pk__lt=last))
    return found


def _delete(rows: QuerySet[Notice] | QuerySet[Delivery] | QuerySet[PublicPost]) -> int:
    """Delete rows a few at a time, so that nobody else has to wait for long."""
    total = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE]):
        count, _ = rows.model._default_manager.filter(pk__in=keys).delete()
        if not count:
            break
        total += count
    return total
