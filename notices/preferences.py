"""What people have chosen: of which events they hear how, when they are left alone, and which matches are muted;
whether they are at a page; and the links by which mail is switched off.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from matches.models import Match, clock
from matches.pages.extensions import Addition, Link, Panel
from matches.queries.access import Viewer, sees_who_is_here
from matches.services.roles import hosted_by
from notices import events
from notices.events import Event
from notices.models import Address, Choice, Delivery, Habits, Mute

SWITCHED_OFF = "This kind of notice was switched off before this was sent."
MUTED = "The match was muted before this was sent."


@transaction.atomic
def choose(user: User, wanted: Mapping[tuple[str, str], bool]) -> None:
    """Whether the person hears of events by channels: of these (event, channel) pairs; all others stay as they are.
    What waits to be sent and is no longer wanted is dropped.

    Only what differs from the defaults is stored: who has chosen nothing gets better defaults as they come.
    """
    other = {pair: is_on for pair, is_on in wanted.items() if is_on != events.is_default(*pair)}
    mine = Choice.objects.filter(user=user)
    mine.filter(
        pk__in=[each.pk for each in mine if (each.event, each.channel) in wanted.keys() - other.keys()]
    ).delete()
    Choice.objects.bulk_create(
        [Choice(user=user, event=key, channel=channel, on=is_on) for (key, channel), is_on in other.items()],
        update_conflicts=True,
        update_fields=["on"],
        unique_fields=["user", "event", "channel"],
    )
    waiting = Delivery.objects.filter(address__user=user, status=Delivery.Status.WAITING)
    for channel in events.CHANNELS:
        off = [key for (key, by), is_on in wanted.items() if by == channel and not is_on]
        dropped = waiting.filter(address__channel=channel, notice__event__in=off)
        dropped.update(status=Delivery.Status.DROPPED, last_error=SWITCHED_OFF)


@transaction.atomic
def mute(user: User, match: Match) -> None:
    """Say nothing of this match any more elsewhere than on the site; what waits to be sent is dropped."""
    Mute.objects.get_or_create(user=user, match=match)
    waiting = Delivery.objects.filter(notice__user=user, notice__match=match, status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.DROPPED, last_error=MUTED)


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


class Mail(NamedTuple):
    """The account's address for mail. `address`: what is known of it as a channel, if anything was sent yet."""

    email: str
    is_confirmed: bool
    address: Address | None


def grid(user: Any, ticked: Collection[str] | None = None) -> list[tuple[str, list[dict[str, Any]]]]:
    """The events by what the person is to them, players first, with a box for each channel; those for hosts only if the
    person hosts. `ticked`: what the person has just ticked, such as “outbid.email”, instead of what is stored."""
    if ticked is None:
        chosen = {(each.event, each.channel): each.on for each in Choice.objects.filter(user=user)}
        pairs = ((key, channel) for key in events.EVENTS for channel in events.CHANNELS)
        ticked = {".".join(pair) for pair in pairs if chosen.get(pair, events.is_default(*pair))}
    parts = [("In matches that I play in", False)]
    if user.is_staff or hosted_by(user).exists():
        parts.append(("In matches that I host", True))
    return [
        (title, [_row(each, ticked) for each in events.EVENTS.values() if each.for_hosts == for_hosts])
        for title, for_hosts in parts
    ]


def _row(event: Event, ticked: Collection[str]) -> dict[str, Any]:
    boxes = {channel: f"{event.key}.{channel}" for channel in events.CHANNELS}
    cells = [{"value": box, "channel": channel.title(), "on": box in ticked} for channel, box in boxes.items()]
    return {"event": event, "cells": cells}


def mail_of(user: Any) -> Mail | None:
    """Where mail goes, or would go once it is confirmed; None without any address."""
    found = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary", "pk").first()
    if found is None:
        return None
    address = Address.objects.filter(user=user, channel=Address.Channel.EMAIL).first()
    return Mail(found.email, found.verified, address)


# -- unsubscribing -------------------------------------------------------------------------------------------
# Signed links by which mail is switched off without signing in (RFC 8058), and what they do.
#
# A link names a person and one event, what a digest brings, or everything. It stays good when the person's address
# changes, and ends after a year.

UNSUBSCRIBE_LASTS = timedelta(days=365)
EVERYTHING, DIGEST = "all", "digest"

_UNSUBSCRIBE = signing.TimestampSigner(salt="notices.unsubscribe")
_LONGEST = 200


class BadLink(Exception):
    """The link is not one of this site's (`code` "forged"), is too old ("old"), or its person is gone ("gone")."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def person_of(signer: signing.TimestampSigner, signed: str, lasts: timedelta, old: str) -> tuple[User | None, str]:
    """Whom, by an id, and what else a signed link of a mail names. `old`: said of one that is too old. Raises
    `BadLink`."""
    try:
        if len(signed) > _LONGEST:
            raise signing.BadSignature
        person, _, rest = signer.unsign(signed, max_age=lasts).partition(":")
    except signing.SignatureExpired:
        raise BadLink("old", old) from None
    except (signing.BadSignature, UnicodeError):
        raise BadLink("forged", "This link is incomplete. Please copy all of it from the mail.") from None
    return User.objects.filter(pk=int(person), is_active=True).first(), rest


class Subscription(NamedTuple):
    """What a link switches off: mail to this person about these events, called `about`."""

    user: User
    about: str
    keys: tuple[str, ...]

    @property
    def is_everything(self) -> bool:
        """Whether there is no more than that."""
        return len(self.keys) == len(events.EVENTS)


def unsubscribe_link(person: int, event: str) -> str:
    """The signed part of a link for a person (by id) and an event, `DIGEST` or `EVERYTHING`."""
    return _UNSUBSCRIBE.sign(f"{person}:{event}")


def read_unsubscribe_link(signed: str) -> Subscription:
    """What a link stands for. Raises `BadLink`."""
    too_old = "This link is more than a year old. Please use the link in a newer mail."
    user, event = person_of(_UNSUBSCRIBE, signed, UNSUBSCRIBE_LASTS, too_old)
    about, keys = _meant(event)
    if user is None or not keys:
        raise BadLink("gone", "There is nothing left that this link could switch off.")
    return Subscription(user, about, keys)


def _meant(named: str) -> tuple[str, tuple[str, ...]]:
    if named == EVERYTHING:
        return "Everything in your matches", tuple(events.EVENTS)
    if named == DIGEST:
        return "Everything that is not urgent", tuple(key for key, event in events.EVENTS.items() if not event.urgent)
    event = events.EVENTS.get(named)
    return (event.label, (event.key,)) if event else ("", ())


def switch_mail(subscription: Subscription, *, on: bool) -> None:
    """Switch mail off, or on again; twice is the same as once. What waits and is no longer wanted is dropped."""
    choose(subscription.user, {(key, events.EMAIL): on for key in subscription.keys})


# -- what a match's page shows of notices ------------------------------------------------------------------
# The links to mute them and to the match's webhooks, and the switch of the sound.


def webhooks_page(match: Match) -> str:
    """Where a match's hosts look after its webhooks."""
    return reverse("match_webhooks:list", args=[match.public_id])


def links_of(viewer: Viewer) -> tuple[Link, ...]:
    """The way for players and hosts to mute the match, and for hosts to its webhooks."""
    found = []
    if viewer.user.is_authenticated and (viewer.player is not None or viewer.is_host):
        found.append(Link("Mute this match's notices", reverse("notices:mute", args=[viewer.match.public_id])))
    if viewer.is_host:
        found.append(Link("Webhooks of this match", webhooks_page(viewer.match)))
    return tuple(found)


def sound_of(viewer: Viewer) -> tuple[Addition, ...]:
    """The switch of the sound, for a player of a small match: it plays when something is asked of them there."""
    if viewer.player is None or viewer.match.is_over or not sees_who_is_here(viewer):
        return ()
    sound = Habits.objects.filter(user=viewer.user, sound=True).exists()
    return (Panel("sound", "Sound", template="notices/sound.html", own={"sound": sound}, in_line=True),)
