"""A calendar for programs, which open its secret address. Neither session nor sign-in is needed, and none is made."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from feeds.calendars.addresses import find_address
from feeds.calendars.events import events_of
from feeds.calendars.ical import as_ical
from feeds.views.answering import address_of, conditional, too_many
from matches.infra.buckets import Buckets

READS = Buckets(rate=0.5, burst=120)
"""How often a calendar can be read, in each process."""

GUESSES = Buckets(rate=0.5, burst=60)
"""How often one network address can ask for calendars that do not exist, in each process."""


@require_safe
def calendar(request: HttpRequest, secret: str) -> HttpResponseBase:
    """The calendar behind a secret address. One that was revoked is answered like one that never was."""
    address = find_address(secret)
    refusal = too_many(READS, address.pk) if address else too_many(GUESSES, address_of(request))
    if refusal:
        return refusal
    if address is None:
        raise Http404("no such calendar")
    text = as_ical("Genius: my matches", events_of(address))
    return conditional(request, text, "text/calendar; charset=utf-8", "private, no-cache")
