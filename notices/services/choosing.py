"""What people choose: of which events they hear how, when they are left alone, and which matches are muted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from matches.models import Match
from notices import events
from notices.models import Choice, Delivery, Habits, Mute
from notices.services.unsubscribing import drop_waiting

MUTED = "The match was muted before this was sent."


@transaction.atomic
def choose(user: User, shown: Collection[str], on: Collection[tuple[str, str]]) -> None:
    """Of the events `shown` the person hears by these (event, channel) pairs and by no others. What waits to be sent
    and is no longer wanted is dropped. Events that were not shown stay as they are.

    Only what differs from the defaults is stored: who has chosen nothing gets better defaults as they come.
    """
    wanted = {(key, channel): (key, channel) in on for key in shown for channel in events.CHANNELS}
    other = {pair: is_on for pair, is_on in wanted.items() if is_on != events.is_default(*pair)}
    mine = Choice.objects.filter(user=user, event__in=shown)
    for choice in mine:
        if (choice.event, choice.channel) not in other:
            choice.delete()
    Choice.objects.bulk_create(
        [Choice(user=user, event=key, channel=channel, on=is_on) for (key, channel), is_on in other.items()],
        update_conflicts=True,
        update_fields=["on"],
        unique_fields=["user", "event", "channel"],
    )
    for channel in events.CHANNELS:
        if off := [key for key in shown if not wanted[key, channel]]:
            drop_waiting(user, channel, off)


def set_habits(user: User, habits: Mapping[str, Any]) -> None:
    """Store a person's habits (fields of `Habits`), all at once."""
    Habits.objects.update_or_create(user=user, defaults=dict(habits))


@transaction.atomic
def mute(user: User, match: Match) -> None:
    """Say nothing of this match any more elsewhere than on the site; what waits to be sent is dropped."""
    Mute.objects.get_or_create(user=user, match=match)
    waiting = Delivery.objects.filter(
        notice__user=user, notice__match=match, status=Delivery.Status.WAITING, claimed_until=None
    )
    waiting.update(status=Delivery.Status.DROPPED, last_error=MUTED)


def unmute(user: User, match: Match) -> None:
    """Say again what happens in this match."""
    Mute.objects.filter(user=user, match=match).delete()
