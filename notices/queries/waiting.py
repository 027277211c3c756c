"""How much is on its way to people and programs, for the operator."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Min

from matches.infra.metrics import age
from notices.match_webhooks.desks import DESKS
from notices.models import Delivery, PublicPost

MEANINGS = {
    "genius_deliveries_waiting": "Messages to people that are due and not sent",
    "genius_deliveries_age_seconds": "How long the one waits that is due longest",
    "genius_posts_waiting": "Posts to webhooks that are not sent",
    "genius_posts_age_seconds": "How old the oldest of them is",
}


def read(alias: str, now: datetime) -> dict[str, float]:
    """These metrics."""
    due = Delivery.objects.using(alias).order_by().filter(status=Delivery.Status.WAITING, due_at__lte=now)
    found = due.aggregate(count=Count("pk"), first=Min("due_at"))
    waiting = PublicPost.Status.WAITING
    tables = [desk.posts._default_manager.using(alias).order_by().filter(status=waiting) for desk in DESKS]
    posted = [table.aggregate(count=Count("pk"), first=Min("at")) for table in tables]
    firsts = [each["first"] for each in posted if each["first"] is not None]
    return {
        "genius_deliveries_waiting": found["count"],
        "genius_deliveries_age_seconds": age(found["first"], now),
        "genius_posts_waiting": sum(each["count"] for each in posted),
        "genius_posts_age_seconds": age(min(firsts, default=None), now),
    }
