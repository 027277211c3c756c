"""Marking notices as read: they stay until then. This is the only mark; what was read here is not sent later."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from matches.models import clock
from matches.services.signals import people_told
from notices.models import Delivery, Notice

READ_BEFORE = "It was read on the site before this was sent."


def mark_read(user: Any, tokens: Collection[str] | None = None, match: str = "") -> int:
    """Mark a person's own notices as read: these ones, one match's (by public id), or all. How many there were.

    What waits for a digest, for the end of quiet hours or for another try is not sent any more.
    """
    mine = Notice.objects.filter(user=user, read_at=None)
    if tokens is not None:
        mine = mine.filter(token__in=tokens)
    if match:
        mine = mine.filter(match__public_id=match)
    return mark_rows_read(mine)


def mark_rows_read(rows: QuerySet[Notice]) -> int:
    """Mark these unread notices as read, whosever they are; how many there were."""
    with transaction.atomic():
        found = dict(rows.values_list("pk", "user"))
        if not found:
            return 0
        count = Notice.objects.filter(pk__in=found, read_at=None).update(read_at=clock.now())
        # What a process is just sending is claimed, and stays.
        held = Delivery.objects.filter(notice__in=found, status=Delivery.Status.WAITING, claimed_until=None)
        held.update(status=Delivery.Status.DROPPED, last_error=READ_BEFORE)
        tell_pages(found.values())
    return count


def tell_pages(people: Iterable[int]) -> None:
    """After the commit, show these people on their open pages what they have been told."""
    told = frozenset(people)
    if told:
        transaction.on_commit(lambda: people_told.send_robust(sender=None, people=told), robust=True)
