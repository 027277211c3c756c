"""The profile page on which people make their calendar's address, take a new one, and revoke it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from feeds.calendars.addresses import make_address, revoke_address
from feeds.models import CalendarAddress


@login_required
@require_safe
def calendars(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    found = CalendarAddress.objects.filter(user=user).first()
    address = f"{settings.SITE_URL}{reverse('feeds:calendar', args=[found.secret])}" if found and found.secret else ""
    # Calendar programs subscribe to `webcal` when it is followed.
    context = {"calendar": found, "address": address, "webcal": f"webcal:{address.partition(':')[2]}"}
    return render(request, "feeds/calendars.html", context)


@login_required
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Make an address, or take a new one."""
    user: Any = request.user
    make_address(user)
    messages.success(request, "The address is below. One that you had before no longer works.")
    return redirect("feeds:calendars")


@login_required
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """Let nobody read the calendar any more."""
    user: Any = request.user
    if revoke_address(user):
        messages.success(request, "Revoked. Nobody can read your calendar any more.")
    return redirect("feeds:calendars")
