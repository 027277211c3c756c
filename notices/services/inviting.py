"""The notice with which somebody gets an invitation to a match."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from matches.models import Invitation, Link, clock
from notices import events
from notices.models import Notice
from notices.services.passing_on import store


def on_invited(invitation: Invitation, code: str, **_: Any) -> None:
    """A receiver of `matches.services.signals.invited`. A second one is a second notice, also where the first is
    unread: a host wants the person to hear of it again."""
    match = invitation.match
    tell(
        invitation,
        match=match,
        source=f"invitation:{invitation.pk}:{invitation.times_sent}",
        title=f"{events.EVENTS[events.INVITED].headline} · {match.title}",
        url=reverse("matches:invitation", args=[code]),
    )


def tell(invitation: Link, **fields: Any) -> None:
    """Tell whom an invitation is for, to a match or to what else has places."""
    text = f"{invitation.made_by}, a host, has a place for you. The link is for you alone, and works once."
    notice = Notice(
        user=invitation.sent_to, event=events.INVITED, text=text, by=invitation.expires_at, at=clock.now(), **fields
    )
    store([notice])
