"""What people have chosen: their channels for each event and their muted matches; whether they are on a page; and the
signed links in mail that switch mail off."""

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
    """Set whether the person hears of events through channels: (event, channel) -> on or off. Other pairs stay as they
    are. Drops what waits to be sent and is no longer wanted.

    Only differences from the defaults are stored, so that people who never chose follow changes of the defaults.
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
    """Send no more notices of this match to places other than the site; drops those that wait."""
    Mute.objects.get_or_create(user=user, match=match)
    waiting = Delivery.objects.filter(notice__user=user, notice__match=match, status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.DROPPED, last_error=MUTED)


EVERY = timedelta(seconds=20)
"""The shortest time between two writes of `Habits.here_at`, however many tabs report."""

_MOST = 10_000
_seen: dict[int, datetime] = {}
"""When this process last wrote it, by user id."""


def touch(user: Any) -> bool:
    """Record that a person is on a page now; return whether that was written."""
    now = clock.now()
    before = _seen.get(user.pk)
    if before is not None and before <= now < before + EVERY:
        return False
    if len(_seen) >= _MOST:
        _seen.clear()
    _seen[user.pk] = now
    mine = Habits.objects.filter(user=user)
    # Unless another process has just written it.
    if mine.filter(Q(here_at=None) | Q(here_at__lte=now - EVERY)).update(here_at=now):
        return True
    _, is_new = Habits.objects.get_or_create(user=user, defaults={"here_at": now})
    return is_new


class Mail(NamedTuple):
    """The account's address for mail. `address`: its row as a channel, once something was sent there."""

    email: str
    is_confirmed: bool
    address: Address | None


def grid(user: Any, ticked: Collection[str] | None = None) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the events with a box for each channel, in two parts: for players, and if the person hosts, for hosts.
    `ticked`: what the person has just ticked, such as “outbid.email”, instead of what is stored."""
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
    """Return where mail goes, or would go once confirmed; None without any address."""
    found = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary", "pk").first()
    if found is None:
        return None
    address = Address.objects.filter(user=user, channel=Address.Channel.EMAIL).first()
    return Mail(found.email, found.verified, address)


# -- unsubscribing -------------------------------------------------------------------------------------------
# Signed links that switch mail off without signing in (RFC 8058).
# A link names a person and one event, the events of a digest, or everything. It works for a year, whatever the address.

UNSUBSCRIBE_LASTS = timedelta(days=365)
EVERYTHING, DIGEST = "all", "digest"

_UNSUBSCRIBE = signing.TimestampSigner(salt="notices.unsubscribe")
_LONGEST = 200


class BadLink(Exception):
    """The link was not made by this site (`code` "forged"), is too old ("old"), or its person is gone ("gone")."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def person_of(signer: signing.TimestampSigner, signed: str, lasts: timedelta, old: str) -> tuple[User | None, str]:
    """Return the active person (or None) and the rest of what a signed link in a mail names. `old`: the message for an
    expired link. Raises `BadLink`."""
    try:
        if len(signed) > _LONGEST:
            raise signing.BadSignature
        person, _, rest = signer.unsign(signed, max_age=lasts).partition(":")
    except signing.SignatureExpired:
        raise BadLink("old", old) from None
    except (signing.BadSignature, UnicodeError):
        raise BadLink("forged", "This link is incomplete. Please copy all of it from the email.") from None
    return User.objects.filter(pk=int(person), is_active=True).first(), rest


class Subscription(NamedTuple):
    """What a link switches off: mail about these events to this person. `about` names them."""

    user: User
    about: str
    keys: tuple[str, ...]

    @property
    def is_everything(self) -> bool:
        """Whether these are all events."""
        return len(self.keys) == len(events.EVENTS)


def unsubscribe_link(person: int, event: str) -> str:
    """Return the signed part of a link for a person (by id) and an event, `DIGEST` or `EVERYTHING`."""
    return _UNSUBSCRIBE.sign(f"{person}:{event}")


def read_unsubscribe_link(signed: str) -> Subscription:
    """Return what a link switches off. Raises `BadLink`."""
    too_old = "This link is more than a year old. Please use the link in a newer email."
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
    """Switch mail on or off. Drops what waits and is no longer wanted."""
    choose(subscription.user, {(key, events.EMAIL): on for key in subscription.keys})


# -- what a match's page shows about notices ---------------------------------------------------------------


def webhooks_page(match: Match) -> str:
    """Return the path of the page on which hosts manage a match's webhooks."""
    return reverse("match_webhooks:list", args=[match.public_id])


def links_of(viewer: Viewer) -> tuple[Link, ...]:
    """Return links for players and hosts to mute the match, and for hosts to its webhooks."""
    found = []
    if viewer.user.is_authenticated and (viewer.player is not None or viewer.is_host):
        found.append(Link("Mute this match's notices", reverse("notices:mute", args=[viewer.match.public_id])))
    if viewer.is_host:
        found.append(Link("Webhooks of this match", webhooks_page(viewer.match)))
    return tuple(found)


def sound_of(viewer: Viewer) -> tuple[Addition, ...]:
    """Return the switch for the sound that plays when a small match asks something of its player."""
    if viewer.player is None or viewer.match.is_over or not sees_who_is_here(viewer):
        return ()
    sound = Habits.objects.filter(user=viewer.user, sound=True).exists()
    return (Panel("sound", "Sound", template="notices/sound.html", own={"sound": sound}, in_line=True),)
