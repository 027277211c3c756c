"""What people have chosen: of which events they hear how, when they are left alone, and which matches are muted; and
whether they are at a page.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from matches.models import Match, clock
from matches.queries.lists import hosted_by
from notices import events
from notices.events import Event
from notices.models import Address, Choice, Delivery, Habits, Mute
from notices.unsubscribing import drop_waiting

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
    waiting = Delivery.objects.filter(notice__user=user, notice__match=match, status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.DROPPED, last_error=MUTED)


def unmute(user: User, match: Match) -> None:
    """Say again what happens in this match."""
    Mute.objects.filter(user=user, match=match).delete()


EVERY = timedelta(seconds=20)
"""It is stored no more often than this, however many pages and tabs say so."""

_MOST = 10_000
_seen: dict[int, datetime] = {}
"""When this process has last stored it, by user."""


def touch(user: Any) -> bool:
    """A person has touched a page now; whether that was stored."""
    now = clock.now()
    before = _seen.get(user.pk)
    if before is not None and before <= now < before + EVERY:
        return False
    if len(_seen) >= _MOST:
        _seen.clear()
    _seen[user.pk] = now
    mine = Habits.objects.filter(user=user)
    # Another process may have stored it just now.
    if mine.filter(Q(here_at=None) | Q(here_at__lte=now - EVERY)).update(here_at=now):
        return True
    _, is_new = Habits.objects.get_or_create(user=user, defaults={"here_at": now})
    return is_new


class EventChoices(NamedTuple):
    """An event of the grid, with the channels by which the person hears of it."""

    event: Event
    on: frozenset[str]


class Mail(NamedTuple):
    """The account's address for mail. `address`: what is known of it as a channel, if anything was sent yet."""

    email: str
    is_confirmed: bool
    address: Address | None


def grid(user: Any) -> list[tuple[str, list[EventChoices]]]:
    """The events by what the person is to them, players first; those for hosts only if the person hosts."""
    chosen = {(choice.event, choice.channel): choice.on for choice in Choice.objects.filter(user=user)}
    parts = [("In matches that I play in", False)]
    if user.is_staff or hosted_by(user).exists():
        parts.append(("In matches that I host", True))
    return [
        (title, [_choices(each, chosen) for each in events.EVENTS.values() if each.for_hosts == for_hosts])
        for title, for_hosts in parts
    ]


def _choices(event: Event, chosen: dict[tuple[str, str], bool]) -> EventChoices:
    channels = events.CHANNELS
    on = (each for each in channels if chosen.get((event.key, each), events.is_default(event.key, each)))
    return EventChoices(event, frozenset(on))


def habits_of(user: Any) -> Habits:
    """A person's habits, or the defaults, not yet stored."""
    return Habits.objects.filter(user=user).first() or Habits(user=user)


def mail_of(user: Any) -> Mail | None:
    """Where mail goes, or would go once it is confirmed; None without any address."""
    found = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary", "pk").first()
    if found is None:
        return None
    address = Address.objects.filter(user=user, channel=Address.Channel.EMAIL).first()
    return Mail(found.email, found.verified, address)


def addresses_of(user: Any, channel: str) -> list[Address]:
    """A person's addresses of one channel, in the order in which they were added."""
    return list(Address.objects.filter(user=user, channel=channel).order_by("pk"))


def has_address(user: Any, token: str) -> bool:
    """Whether this is the token of an address of the person's own."""
    return Address.objects.filter(user=user, token=token).exists()


def muted(user: Any) -> list[Mute]:
    """The matches that a person has muted, the last one first."""
    return list(Mute.objects.filter(user=user).select_related("match").defer("match__state").order_by("-pk"))


def is_muted(user: Any, match_id: int) -> bool:
    """Whether a person has muted this match."""
    return Mute.objects.filter(user=user, match_id=match_id).exists()
