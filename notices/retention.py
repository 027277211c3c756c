"""How long notices are kept, what of them people export or leave behind, and metrics of the queue."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet

from matches.infra.db_waits import delete_in_batches
from matches.infra.metrics import age
from matches.infra.text import iso
from matches.models import Player
from matches.services.account_deletion import matches_with
from notices import webhooks
from notices.models import Address, Choice, Delivery, Habits, Mute, Notice
from notices.reading import lapsed, mark_rows_read

READ = timedelta(days=settings.KEPT_DAYS["notices_read"])
"""How long read notices are kept, and the records of their deliveries."""

UNREAD = timedelta(days=settings.KEPT_DAYS["notices_unread"])
"""How long unread notices are kept."""

MOST = 500
"""The most notices kept of one person; the latest stay."""


def tidy(now: datetime) -> int:
    """Delete old notices and deliveries; return how many rows. It can be stopped and run again at any time."""
    mark_rows_read(Notice.objects.filter(lapsed(), read_at=None))
    done = Delivery.objects.filter(Q(notice__at__lt=now - READ) | Q(at__lt=now - READ))
    old = Notice.objects.filter(Q(at__lt=now - READ, read_at__isnull=False) | Q(at__lt=now - UNREAD))
    gone = delete_in_batches(done.exclude(status=Delivery.Status.WAITING)) + delete_in_batches(old)
    return gone + sum(delete_in_batches(rows) for rows in _too_many())


def _too_many() -> list[QuerySet[Notice]]:
    """For each person who has more than `MOST` notices, those before the latest `MOST`."""
    many = Notice.objects.order_by().values("user").annotate(count=Count("pk")).filter(count__gt=MOST)
    found = []
    for user in many.values_list("user", flat=True):
        own = Notice.objects.filter(user=user)
        last = own.order_by("-pk").values_list("pk", flat=True)[MOST - 1]
        found.append(own.filter(pk__lt=last))
    return found


def leave(user: Any, name: str) -> None:
    """Remove a leaving person from notices (`accounts.deletion`); called before their places get other names.

    Their name in one match, or on the site, may be another player's in the next match, where it stays.
    """
    webhooks.leave(user)
    for match in matches_with(user):
        others = {each.shown_name for each in Player.objects.filter(match=match).exclude(user=user)}
        own = Player.objects.filter(match=match, user=user).values_list("name", flat=True)
        rename(
            {user.username, str(user), *own} - others,
            name,
            Notice.objects.filter(match=match).exclude(user=user),
            Delivery.objects.filter(address__matchwebhook__match=match),
        )


def rename(names: Iterable[str], name: str, notices: QuerySet[Notice], posts: QuerySet[Delivery]) -> None:
    """Replace these names by `name` in the texts of notices and posts."""
    old = sorted(filter(None, names), key=len, reverse=True)
    if not old:
        return
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, old))})(?!\w)")
    has_one = Q()
    for each in old:
        has_one |= Q(text__contains=each)
    for notice in notices.filter(has_one).iterator():
        Notice.objects.filter(pk=notice.pk).update(text=named.sub(lambda _: name, notice.text))
    for post in posts.iterator():
        items = [item | {"text": named.sub(lambda _: name, item["text"])} for item in post.items]
        Delivery.objects.filter(pk=post.pk).update(items=items)


def export(user: Any) -> dict[str, Any]:
    """Return a person's addresses, without their secrets, their choices and notices, for their account's export."""
    reached = Address.objects.filter(user=user).order_by("pk")
    told = Notice.objects.filter(user=user).order_by("pk")
    return {
        "addresses": list(reached.values("channel", "label", "created_at", "last_sent_at")),
        "choices": list(Choice.objects.filter(user=user).order_by("pk").values("event", "channel", "on")),
        "habits": list(Habits.objects.filter(user=user).values()),
        "muted": list(Mute.objects.filter(user=user).order_by("pk").values("match__public_id")),
        "told": list(told.values("match__public_id", "event", "title", "text", "at", "read_at")),
    }


MEANINGS = {
    "genius_deliveries_waiting": "Messages to people that are due but have not been sent",
    "genius_deliveries_age_seconds": "How long the most overdue message has been waiting",
    "genius_posts_waiting": "Posts to webhooks that have not been sent",
    "genius_posts_age_seconds": "How old the oldest unsent post is",
}


def read_metrics(alias: str, now: datetime) -> dict[str, float]:
    """Return the metrics that `MEANINGS` describes, from the database `alias`."""
    waiting = Delivery.objects.using(alias).order_by().filter(status=Delivery.Status.WAITING)
    to_people = waiting.filter(event_id="", due_at__lte=now).aggregate(count=Count("pk"), first=Min("due_at"))
    posts = waiting.exclude(event_id="").aggregate(count=Count("pk"), first=Min("at"))
    return {
        "genius_deliveries_waiting": to_people["count"],
        "genius_deliveries_age_seconds": age(to_people["first"], now),
        "genius_posts_waiting": posts["count"],
        "genius_posts_age_seconds": age(posts["first"], now),
    }


def since(instant: datetime) -> Iterator[dict[str, Any]]:
    """Yield every notice since an instant as JSON-able dicts, oldest first, with its deliveries. Leaves out the texts,
    which are for the receiver alone."""
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
