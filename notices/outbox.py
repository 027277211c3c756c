"""Empties the outbox: turns what matches have told into stored notices and their deliveries.

What is needed is read and put into words without a lock. One short transaction then takes the rows out of the outbox
and stores the notices; if another process has taken one of the rows meanwhile, nothing is stored here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from django.db import transaction
from django.urls import reverse

from matches.models import Invitation, Link, OutboxRow, clock
from matches.services.storage import many
from notices import events, handover
from notices.from_log import notices_of
from notices.models import Notice
from notices.reading import retire, tell_pages
from notices.routing import plan

_AT_ONCE = 400
_REST = 2  # times as long as a batch took that left others waiting

Listener = Callable[[Sequence[OutboxRow]], Callable[[], None]]
"""Given rows of the outbox, it reads what it needs, and returns what stores what it makes of them."""

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Let somebody else make something of the outbox's rows as well, stored in the same transaction."""
    _listeners.append(listener)


class _TakenByAnother(Exception):
    """Another process has passed on one of these rows."""


class _PlaceChangedHands(Exception):
    """Somebody to whom this was to be told has left their place since it was put into words."""


def pass_on() -> int:
    """Pass on all that waits in the outbox, oldest first; how many rows that were."""
    passed = 0
    while batch := _pass_on_some():
        passed += batch
    return passed


def _pass_on_some() -> int:
    """Pass on one batch; how many rows it had, 0 also if another process is at it."""
    while rows := list(OutboxRow.objects.order_by("pk")[:_AT_ONCE]):
        try:
            _pass_on(rows)
        except _PlaceChangedHands:
            continue  # it is for somebody else now
        except _TakenByAnother:
            break
        return len(rows)
    return 0


_rests_until = 0.0


def pass_on_a_batch() -> int:
    """Pass on one batch, and leave what comes in meanwhile to the next call: the more rows there are of each match, the
    less one costs. If it was full, the next one begins only after a rest twice as long as it took: acting comes
    first."""
    global _rests_until
    begun = monotonic()
    if begun < _rests_until:
        return 0
    passed, ended = _pass_on_some(), monotonic()
    _rests_until = ended + _REST * (ended - begun) if passed == _AT_ONCE else 0.0
    return passed


def _pass_on(rows: list[OutboxRow]) -> None:
    notices = notices_of(rows)
    stores = [listener(rows) for listener in _listeners]
    with transaction.atomic():
        gone, _ = OutboxRow.objects.filter(pk__in=[row.pk for row in rows]).delete()
        if gone != len(rows):
            raise _TakenByAnother
        if handover.of_those_who_left(notices):
            raise _PlaceChangedHands
        store(notices)
        for each in stores:
            each()


def store(notices: list[Notice]) -> list[Notice]:
    """Store notices and plan their deliveries, inside the caller's transaction; those that are new.

    Open pages show them after the commit. One whose source has told the same person before is left out, and so is one
    about a place that they have left meanwhile.
    """
    homeless = handover.of_those_who_left(notices)
    notices = [notice for notice in notices if notice not in homeless]
    if not notices:
        return []
    known = set(
        Notice.objects.filter(
            user__in={notice.user_id for notice in notices}, source__in={notice.source for notice in notices}
        ).values_list("user_id", "source")
    )
    new = [notice for notice in notices if (notice.user_id, notice.source) not in known]
    many.insert_numbered(Notice, new)  # thousands at once, where many are reminded
    retire(new)
    plan(new, clock.now())
    tell_pages({notice.user_id for notice in new})
    return new


def on_invited(invitation: Invitation, code: str, **_: Any) -> None:
    """A receiver of `matches.services.signals.invited`. A second one is a second notice, also where the first is
    unread: a host wants the person to hear of it again."""
    source = f"invitation:{invitation.pk}:{invitation.times_sent}"
    tell_of_invitation(invitation, invitation.match, source=source, url=reverse("matches:invitation", args=[code]))


def tell_of_invitation(invitation: Link, about: Any, **fields: Any) -> None:
    """Tell whom an invitation is for, to a match or to what else has places."""
    text = f"The host {invitation.made_by} has a place for you. The link is for you alone and works once."
    to = invitation.sent_to
    store([Notice.of(events.INVITED, about, user=to, text=text, by=invitation.expires_at, **fields)])
