"""The page on which people choose how they hear of things, and its small commands."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.views import SignedInRequest
from matches.infra.buckets import Buckets
from matches.queries.access import MatchHidden, Viewer, access_match
from notices import events, vapid
from notices.models import Address
from notices.queries import chosen
from notices.services import addresses, choosing
from notices.web.forms import GridForm, HabitsForm, WebhookForm

_CHANNELS = {events.EMAIL: "Email", events.PUSH: "Push", events.WEBHOOK: "Webhook"}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: SignedInRequest) -> HttpResponse:
    """The page; a post stores the grid (`part` = grid), the habits, or a new webhook, all of it or nothing."""
    part = request.POST.get("part", "") if request.method == "POST" else ""
    habits = HabitsForm(request.POST if part == "habits" else None, instance=chosen.habits_of(request.user))
    grid = GridForm(request.POST if part == "grid" else None)
    hook = WebhookForm(request.POST if part == "webhook" else None)
    if part == "grid" and grid.is_valid():
        choosing.choose(request.user, grid.cleaned_data["shown"], grid.pairs())
        messages.success(request, "Saved. You are told about things as you have ticked.")
        return redirect("notices:choose")
    if part == "habits" and habits.is_valid():
        choosing.set_habits(request.user, habits.habits())
        messages.success(request, "Stored.")
        return redirect("notices:choose")
    made, secret = _add(request, hook) if part == "webhook" and hook.is_valid() else (None, "")
    if made is not None:
        hook = WebhookForm()
    refused = {"grid": grid, "habits": habits, "webhook": hook}.get(part) if made is None else None
    context = _page(request.user, grid, habits, hook, made, secret) | {"refused": refused}
    return render(request, "notices/choose.html", context, status=422 if part and made is None else 200)


def _add(request: SignedInRequest, form: WebhookForm) -> tuple[Address | None, str]:
    """The new webhook and its secret, or what is wrong at its field."""
    said = form.cleaned_data
    try:
        return addresses.add_webhook(request.user, said["url"], said["form"], said["label"])
    except addresses.Refused as refused:
        form.add_error(refused.field if refused.field in form.fields else None, refused.message)
        return None, ""


def _page(user: Any, grid: GridForm, habits: HabitsForm, hook: WebhookForm, made: Any, secret: str) -> dict[str, Any]:
    ticked = set(grid.data.getlist("on")) if grid.is_bound else None  # type: ignore[attr-defined]
    return {
        "grid": [
            (title, [{"event": row.event, "cells": _cells(row, ticked)} for row in rows])
            for title, rows in chosen.grid(user)
        ],
        "channels": _CHANNELS,
        "habits": habits,
        "webhook_form": hook,
        "made": made,
        "secret": secret,
        "mail": chosen.mail_of(user),
        "browsers": chosen.addresses_of(user, events.PUSH),
        "webhooks": chosen.addresses_of(user, events.WEBHOOK),
        "push_key": vapid.public_key(),
        "muted": chosen.muted(user),
        "zone": user.time_zone,
    }


def _cells(row: chosen.EventChoices, ticked: set[str] | None) -> list[dict[str, Any]]:
    values = {channel: f"{row.event.key}.{channel}" for channel in _CHANNELS}
    return [
        {"value": value, "channel": _CHANNELS[channel], "on": channel in row.on if ticked is None else value in ticked}
        for channel, value in values.items()
    ]


# -- addresses -----------------------------------------------------------------------------------------


@cache
def _tests() -> Buckets:
    """A few tests at once, then one in twenty seconds: they leave the site."""
    return Buckets(0.05, 4)


@login_required
@require_POST
def try_out(request: SignedInRequest, token: str) -> HttpResponse:
    """Send a test to one of one's addresses."""
    return _try(request, token)


@login_required
@require_POST
def try_mail(request: SignedInRequest) -> HttpResponse:
    """Send a test to the account's own address for mail."""
    return _try(request, addresses.mail_token(request.user))


def _try(request: SignedInRequest, token: str) -> HttpResponse:
    if not chosen.has_address(request.user, token):
        raise Http404("no such address")
    wait = _tests().take(request.user.pk)
    if wait:
        messages.error(request, f"That was a lot of tests. Please wait {int(wait) + 1} s before the next one.")
        return redirect("notices:choose")
    outcome = addresses.try_out(request.user, token)
    if outcome is not None:
        (messages.success if outcome.sent else messages.error)(request, outcome.message)
    return redirect("notices:choose")


@login_required
@require_POST
def remove(request: SignedInRequest, token: str) -> HttpResponse:
    """Remove one of one's addresses."""
    if not addresses.remove(request.user, token):
        raise Http404("no such address")
    messages.success(request, "Removed. Nothing is sent there any more.")
    return redirect("notices:choose")


# -- one match -----------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Whether one hears of this match elsewhere; a post mutes it, or with `again` ends that."""
    viewer = _viewer(request, public_id)
    if request.method == "POST":
        if "again" in request.POST:
            choosing.unmute(request.user, viewer.match)
            messages.success(request, f"You are told about {viewer.match.title} again.")
        else:
            choosing.mute(request.user, viewer.match)
            messages.success(request, f"{viewer.match.title} is muted. Its notices still come here, on the site.")
        return redirect("notices:choose" if "list" in request.POST else viewer.match.get_absolute_url())
    is_muted = chosen.is_muted(request.user, viewer.match.pk)
    return render(request, "notices/mute.html", {"shown": viewer.match, "is_muted": is_muted})


def _viewer(request: HttpRequest, public_id: str) -> Viewer:
    try:
        return access_match(public_id, request.user)
    except MatchHidden:
        raise Http404("no such match") from None
