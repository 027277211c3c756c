"""A calendar for programs. They send its password in a header or, where the site allows it, open an address that has it
inside. Neither session nor sign-in is needed, and none is made."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.sign_in import checks
from accounts.sign_in.tries import TooMany
from feeds.calendars.addresses import find_address, find_by_password
from feeds.calendars.events import CalendarGone, events_of
from feeds.calendars.ical import as_ical
from feeds.models import CalendarAddress
from feeds.views.answering import address_of, conditional, told_to_wait, too_many
from feeds.views.basic import asked_for, credentials_of
from matches.infra.buckets import Buckets

READS = Buckets(rate=0.5, burst=120)
"""How often a calendar can be read, in each process."""

GUESSES = Buckets(rate=0.5, burst=60)
"""How often one network address can ask for calendars that do not exist, in each process."""

_WHICH = "Name: your username. Password: the one on your page “Calendar”, not that of your account.\n"


@require_safe
def by_secret(request: HttpRequest, secret: str) -> HttpResponseBase:
    """The calendar behind a secret address. One that was revoked is answered like one that never was."""
    address = find_address(secret) if settings.CALENDAR_ADDRESSES == "secrets" else None
    try:
        if address is None:
            raise CalendarGone
        return _text(request, address)
    except CalendarGone:
        if refusal := too_many(GUESSES, address_of(request)):
            return refusal
        raise Http404("no such calendar") from None


@require_safe
def by_password(request: HttpRequest, public_id: str = "") -> HttpResponseBase:
    """The calendar of that match, or of all of a person's, for a program that sends its password. Whatever is wrong is
    answered alike, also where there is no such person or match."""
    sent = credentials_of(request)
    if sent is None:
        return asked_for("Genius calendar", _WHICH)  # programs come once without it
    address = find_by_password(sent.name, sent.password, public_id)
    try:
        if address is None:
            raise CalendarGone
        return _text(request, address)
    except CalendarGone:
        return _refused(request)


def _text(request: HttpRequest, address: CalendarAddress) -> HttpResponseBase:
    """Raises `CalendarGone`."""
    if refusal := too_many(READS, address.pk):
        return refusal
    events = events_of(address)
    name = f"Genius: {address.match.title}" if address.match else "Genius: my matches"
    return conditional(request, as_ical(name, events), "text/calendar; charset=utf-8", "private, no-cache")


def _refused(request: HttpRequest) -> HttpResponse:
    try:
        checks.count_wrong(request, "calendar")
    except TooMany as refused:
        seconds = (refused.at - timezone.now()).total_seconds()
        return told_to_wait(max(seconds, 1), "The passwords were wrong. Take the one on your page “Calendar”.")
    return asked_for("Genius calendar", _WHICH)
