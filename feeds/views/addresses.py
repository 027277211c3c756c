"""The profile page on which people make and revoke their calendars, and take new passwords for them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from feeds.calendars.addresses import MOST, TooManyAddresses, make_address, revoke_address
from feeds.models import CalendarAddress
from matches.models import Match
from matches.queries.access import MatchHidden, RulesNotHere, access_match


@login_required
@require_safe
def calendars(request: HttpRequest) -> HttpResponse:
    """All of a person's calendars; with `?match=` also the offer of one for that match."""
    user: Any = request.user
    found = list(CalendarAddress.objects.filter(user=user).select_related("match"))
    of_all = next((_shown(each) for each in found if each.match is None), None)
    of_matches = [_shown(each) for each in found if each.match is not None]
    wanted = request.GET.get("match", "")
    offered = None
    if wanted and all(each["public_id"] != wanted for each in of_matches):
        offered = _match(wanted, user)
    context = {
        "of_all": of_all,
        "of_matches": of_matches,
        "offered": {"public_id": offered.public_id, "title": offered.title} if offered else None,
        "wanted": wanted,
    }
    return render(request, "feeds/calendars.html", context)


@login_required
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Make a calendar, or take a new password for it."""
    user: Any = request.user
    match = _named(request)
    try:
        make_address(user, match)
    except TooManyAddresses:
        messages.error(request, f"You have {MOST} calendars, which is the limit. Revoke one first.")
    else:
        messages.success(request, "The new password is below. An older one of that calendar no longer works.")
    return _back(match)


@login_required
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """Let nobody read a calendar any more."""
    user: Any = request.user
    public_id = request.POST.get("match", "")
    # Also of a match that its owner may no longer see.
    address = CalendarAddress.objects.filter(user=user, match__public_id=public_id).select_related("match").first()
    if public_id and address is None:
        raise Http404("no such calendar")
    if revoke_address(user, address.match if address else None):
        messages.success(request, "Revoked. Nobody can read that calendar any more.")
    return _back(None)


def _named(request: HttpRequest) -> Match | None:
    """The match that the form names; None for all of a person's matches. Raises `Http404`."""
    public_id = request.POST.get("match", "")
    match = _match(public_id, request.user) if public_id else None
    if public_id and match is None:
        raise Http404("no such match")
    return match


def _match(public_id: str, user: Any) -> Match | None:
    """The match of that id, if this person may see it."""
    try:
        return access_match(public_id, user).match
    except (MatchHidden, RulesNotHere):
        return None


def _back(match: Match | None) -> HttpResponse:
    address = reverse("feeds:calendars")
    return redirect(f"{address}?match={match.public_id}" if match else address)


def _shown(calendar: CalendarAddress) -> dict[str, Any]:
    match, secret = calendar.match, calendar.secret
    plain = reverse("feeds:calendar_of_match", args=[match.public_id]) if match else reverse("feeds:calendar_of_all")
    address = f"{settings.SITE_URL}{plain}"
    in_addresses = secret and settings.CALENDAR_ADDRESSES == "secrets"
    return {
        "id": f"calendar-{match.public_id}" if match else "calendar-of-all",
        "public_id": match.public_id if match else "",
        "title": match.title if match else "All my matches",
        "address": address,
        # Calendar programs subscribe to such addresses when they are followed.
        "webcal": f"webcal:{address.partition(':')[2]}",
        "password": secret,
        "secret_address": f"{settings.SITE_URL}{reverse('feeds:calendar', args=[secret])}" if in_addresses else "",
        "made_at": calendar.made_at,
    }
