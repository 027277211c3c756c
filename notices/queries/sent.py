"""How notices went out: for people's own pages, for operators and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from matches.infra.moments import iso
from notices.models import Delivery, Notice


def since(instant: datetime) -> Iterator[dict[str, Any]]:
    """Every notice since an instant, oldest first, with its deliveries; JSON-able. It has no texts: these are for the
    receiver alone."""
    found = Notice.objects.filter(at__gte=instant).select_related("user", "match")
    for notice in found.prefetch_related("deliveries__address").order_by("pk").iterator(chunk_size=500):
        yield {
            "id": notice.token,
            "event": notice.event,
            "source": notice.source.partition(":")[0],
            "match": notice.match.public_id if notice.match else None,
            "user": notice.user.username,
            "title": notice.title,
            "url": notice.url,
            "at": iso(notice.at),
            "by": iso(notice.by),
            "read_at": iso(notice.read_at),
            "deliveries": [_delivery(each) for each in notice.deliveries.all()],
        }


def _delivery(each: Delivery) -> dict[str, Any]:
    return {
        "channel": each.address.channel,
        "address": each.address.token,
        "status": each.status,
        "in_digest": each.in_digest,
        "attempts": each.attempts,
        "due_at": iso(each.due_at),
        "sent_at": iso(each.sent_at),
        "last_error": each.last_error,
    }
