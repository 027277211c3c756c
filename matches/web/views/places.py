"""Views for a place in a match: invitations, joining and leaving, absences, and saying that one is ready."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.sign_in import form_login_required
from accounts.validators import validate_visible
from matches.infra import rate_limits
from matches.infra.text import without_nul
from matches.models import clock
from matches.queries.match_info import page_info_of
from matches.queries.names import set_apart
from matches.queries.places import own_place
from matches.services import absences, joining
from matches.services.errors import Refused
from matches.web.match_page import MatchPage, open_match_page
from matches.web.views.table import new_key

_NOT_YOURS = "Only this match's players have a place in it."


class AwayForm(forms.Form):
    """An absence: from when to when, in the person's own time zone."""

    since = forms.DateTimeField(
        label="From",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={"required": "Say from when."},
    )
    until = forms.DateTimeField(
        label="Until",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={"required": "Say until when."},
    )
    reason = forms.CharField(
        label="Why (only the hosts and their observers read this)",
        required=False,
        max_length=200,
        validators=[validate_visible],
    )
    bot = forms.BooleanField(label="A bot plays for me while I am away", required=False)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def place(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the page of a player's own place. A POST does one thing: `away` or `back`."""
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
        shown = form.is_bound and refused.field in form.fields and (refused.field != "bot" or page.match.bots_stand_in)
        field = refused.field if shown else None
        if field:
            form.add_error(field, refused.message)
        return _show(request, page, form, error="" if field else refused.message, status=refused.status)
    messages.success(request, done)
    return redirect(page.address("place"))


def _do(request: HttpRequest, page: MatchPage, form: AwayForm) -> str | None:
    """Do what was asked for. Return the message to show, or None for an invalid form. Raises `Refused`."""
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
            return "The hosts and the other players can now see when you will be away."
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


@form_login_required
@require_POST
def ready(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say that the player is ready, before a fast match with few players."""
    page = open_match_page(request, public_id)
    try:
        absences.say_ready(page.match.pk, request.user.pk)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect(page.address())


# -- joining ---------------------------------------------------------------------------------------------
# Invitations, joining and leaving a match.


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page of an invitation link; a POST takes the place."""
    if mine := joining.taken_by(code, request.user):
        return redirect("matches:match", mine.match.public_id)
    player = joining.invited_player(code)
    if player is None:
        return render(request, "matches/invitation_gone.html", status=410)
    if request.method == "POST" and request.user.is_authenticated:
        try:
            joining.claim(code, request.user)
        except Refused as refused:
            if not joining.taken_by(code, request.user):
                messages.error(request, refused.message)
            return redirect(request.path)
        messages.success(request, f"You are now in “{player.match.title}” as {set_apart(player.shown_name)}.")
        return redirect("matches:match", player.match.public_id)
    if request.method == "GET":
        joining.note_opened(code, request.user)
    leaves = "" if player.is_open else "a bot" if player.user_id is None else player.shown_name
    place = player.handle if leaves else player.shown_name
    context = {"match": page_info_of(player.match), "place": place, "code": code, "leaves": leaves}
    return render(request, "matches/invitation.html", context)


@form_login_required
@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a place in an upcoming match that anyone can join."""
    page = open_match_page(request, public_id)
    try:
        player = joining.join(page.match, request.user)
        messages.success(request, f"You are now in “{page.match.title}” as {set_apart(player.shown_name)}.")
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect(page.address())


@form_login_required
@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """Leave a match before it begins."""
    page = open_match_page(request, public_id)
    try:
        joining.leave(page.match, request.user)
        messages.success(request, f"You have left “{page.match.title}”.")
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect(page.address() if page.match.is_public else "matches:mine")
