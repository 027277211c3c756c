"""What becomes of webhooks to which nothing can or should be posted any more: hosts hear of it, and decide."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import reverse

from matches.models import clock
from notices import events
from notices.models import MatchPost, MatchWebhook, Notice
from notices.safe_addresses import AddressRefused, host_of
from notices.services.passing_on import store

NOT_SENT = "The webhook was stopped before this was sent."
HOST_IS_GONE = "The host who added it has deleted their account."


def drop_posts(webhook: MatchWebhook) -> None:
    """Give up what waits for a stopped webhook."""
    waiting = webhook.posts.filter(status=MatchPost.Status.WAITING)
    waiting.update(status=MatchPost.Status.FAILED, last_error=NOT_SENT)


def tell_hosts(webhook: MatchWebhook, why: str) -> None:
    """Tell the match's hosts that a webhook was stopped, inside the caller's transaction. `why`: a sentence."""
    event, match, now = events.EVENTS[events.WEBHOOK_STOPPED], webhook.match, clock.now()
    text = f"Nothing more is posted to {_named(webhook)} until a host starts it again. {why}"
    hosts = match.hosts.filter(is_active=True).order_by("pk").values_list("pk", flat=True)
    store(
        [
            Notice(
                user_id=host,
                match=match,
                source=f"webhook:{webhook.token}:{now.timestamp():.6f}",
                event=event.key,
                title=f"{event.headline} · {match.title}",
                text=text,
                url=reverse("match_webhooks:list", args=[match.public_id]),
                at=now,
            )
            for host in hosts
        ]
    )


def leave(user: Any, name: str) -> None:
    """What becomes of the webhooks that somebody has added whose account is deleted (`accounts.leaving`).

    Where they lead may be that person's own. So they are stopped, and any other host may start them again, who then has
    added them; without another host they are deleted.
    """
    for webhook in MatchWebhook.objects.filter(created_by=user).select_related("match").order_by("pk"):
        _let_go(webhook, user)


@transaction.atomic
def _let_go(webhook: MatchWebhook, user: Any) -> None:
    if not webhook.match.hosts.filter(is_active=True).exclude(pk=user.pk).exists():
        webhook.delete()
        return
    found, now = MatchWebhook.objects.filter(pk=webhook.pk), clock.now()
    # Who is just posting there finds its claim gone, and notes nothing.
    why = {"stopped_at": now, "last_error": HOST_IS_GONE, "last_error_at": now, "claimed_until": None}
    is_new = found.filter(stopped_at=None).update(**why)
    found.update(created_by=None)
    if is_new:
        drop_posts(webhook)
        tell_hosts(webhook, HOST_IS_GONE)


def _named(webhook: MatchWebhook) -> str:
    """Only the host: whoever has the whole address can post there."""
    try:
        return f"the webhook at {host_of(webhook.url)}"
    except AddressRefused:
        return "a webhook"
