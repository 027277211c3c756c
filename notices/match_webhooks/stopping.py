"""What becomes of webhooks to which nothing can or should be posted any more: hosts hear of it, and decide."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from matches.models import Match, clock
from notices import events
from notices.match_webhooks.desks import DESKS, desk_of
from notices.models import Notice, PublicPost, PublicWebhook
from notices.outbox import store
from notices.safe_addresses import AddressRefused, host_of

NOT_SENT = "The webhook was stopped before this was sent."
HOST_IS_GONE = "The host who added it has deleted their account."


def drop_posts(webhook: PublicWebhook) -> None:
    """Give up what waits for a stopped webhook."""
    waiting = webhook.posts.filter(status=PublicPost.Status.WAITING)
    waiting.update(status=PublicPost.Status.FAILED, last_error=NOT_SENT)


def tell_hosts(webhook: PublicWebhook, why: str) -> None:
    """Tell the hosts that a webhook was stopped, inside the caller's transaction. `why`: a sentence."""
    event, owner, now = events.EVENTS[events.WEBHOOK_STOPPED], webhook.owner, clock.now()
    desk = desk_of(webhook)
    text = f"Nothing more is posted to {_named(webhook)} until a host starts it again. {why}"
    store(
        [
            Notice(
                user_id=host,
                match=owner if isinstance(owner, Match) else None,
                source=f"webhook:{webhook.token}:{now.timestamp():.6f}",
                event=event.key,
                title=f"{event.headline} · {owner.title}",
                text=text,
                url=desk.page_of(owner),
                at=now,
            )
            for host in desk.hosts_of(owner)
        ]
    )


def leave(user: Any, name: str) -> None:
    """What becomes of the webhooks that somebody has added whose account is deleted (`accounts.leaving`).

    Where they lead may be that person's own. So they are stopped, and any other host may start them again, who then has
    added them; without another host they are deleted.
    """
    for desk in DESKS:
        mine = desk.webhooks._default_manager.filter(created_by=user)
        for webhook in mine.select_related(desk.webhooks.OWNER).order_by("pk"):
            _let_go(webhook, user)


@transaction.atomic
def _let_go(webhook: PublicWebhook, user: Any) -> None:
    if not set(desk_of(webhook).hosts_of(webhook.owner)) - {user.pk}:
        webhook.delete()
        return
    found, now = desk_of(webhook).webhooks._default_manager.filter(pk=webhook.pk), clock.now()
    # Who is just posting there finds its claim gone, and notes nothing.
    why = {"stopped_at": now, "last_error": HOST_IS_GONE, "last_error_at": now, "claimed_until": None}
    is_new = found.filter(stopped_at=None).update(**why)
    found.update(created_by=None)
    if is_new:
        drop_posts(webhook)
        tell_hosts(webhook, HOST_IS_GONE)


def _named(webhook: PublicWebhook) -> str:
    """Only the host: whoever has the whole address can post there."""
    try:
        return f"the webhook at {host_of(webhook.url)}"
    except AddressRefused:
        return "a webhook"
