"""A player's own place: saying that one is away, coming back, and taking more time."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.validators import validate_visible
from matches.infra import rate_limits
from matches.infra.nul import without_nul
from matches.models import clock
from matches.queries.places import own_place
from matches.services import absences
from matches.services.errors import Refused
from matches.web.match_page import MatchPage, open_match_page
from matches.web.views.table import new_key

_NOT_YOURS = "Only this match's players have a place in it."


class AwayForm(forms.Form):
    """From when to when, in the person's own zone."""

    since = forms.DateTimeField(
        label="From",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={"required": "Say from when.", "invalid": "This is not a day and a time."},
    )
    until = forms.DateTimeField(
        label="Until",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={"required": "Say until when.", "invalid": "This is not a day and a time."},
    )
    reason = forms.CharField(
        label="Why (only hosts read it)", required=False, max_length=200, validators=[validate_visible]
    )
    bot = forms.BooleanField(label="A bot plays for me meanwhile", required=False)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def place(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page of a player's own place. A POST does one thing: `away` or `back`."""
    page = open_match_page(request, public_id)
    if page.player is None:
        return _show(request, page, AwayForm(), error=_NOT_YOURS, status=403)
    if request.method != "POST":
        now = timezone.localtime(clock.now()).replace(second=0, microsecond=0)
        return _show(request, page, AwayForm(initial={"since": now}))
    if rate_limits.action_rates().take(request.user.pk):
        return _show(request, page, AwayForm(), error=rate_limits.TOO_FAST, status=429)
    form = AwayForm(request.POST if request.POST.get("do") == "away" else None)
    try:
        if (done := _do(request, page, form)) is None:
            return _show(request, page, form, status=400)
    except Refused as refused:
        field = refused.field if form.is_bound and refused.field in form.fields else None
        if field:
            form.add_error(field, refused.message)
        return _show(request, page, form, error="" if field else refused.message, status=refused.status)
    messages.success(request, done)
    return redirect(page.address("place"))


def _do(request: HttpRequest, page: MatchPage, form: AwayForm) -> str | None:
    """What was asked for; what to say then, or None for a form that cannot be read. Raises `Refused`."""
    user_id, key = request.user.pk, without_nul(request.POST.get("key", "")[:100])
    match request.POST.get("do"):
        case "back":
            absences.come_back(page.match.pk, user_id)
            return "You are back."
        case "away":
            if not form.is_valid():
                return None
            said = form.cleaned_data
            said_away = (said["since"], said["until"], said["reason"])
            absences.say_away(page.match.pk, user_id, *said_away, bot=said["bot"], key=key)
            return "You are excused. The hosts know, and the other players see from when to when."
    raise Refused("Choose what to do.")


def _show(request: HttpRequest, page: MatchPage, form: AwayForm, *, error: str = "", status: int = 200) -> HttpResponse:
    own: dict[str, Any] = {}
    if page.player is not None:
        own = {"place": own_place(page.match, page.player), "runs": page.match.status == "open", "key": new_key()}
        if not own["place"].bots_stand_in:
            del form.fields["bot"]
    zone = timezone.get_current_timezone_name()
    context = page.context("place", form=form, error=error, zone=zone, **own)
    return render(request, "matches/place.html", context, status=status)
