"""Invitations, joining and leaving a match."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches.queries.matches import info_of
from matches.queries.names import set_apart
from matches.services import joining
from matches.services.errors import Refused
from matches.web.match_page import open_match_page


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """The page behind an invitation link; a POST takes the place."""
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
        messages.success(request, f"You play in “{player.match.title}” as {set_apart(player.shown_name)}.")
        return redirect("matches:match", player.match.public_id)
    if request.method == "GET":
        joining.note_opened(code, request.user)
    leaves = "" if player.is_open else "a bot" if player.user_id is None else player.shown_name
    place = player.handle if leaves else player.shown_name
    context = {"match": info_of(player.match), "place": place, "code": code, "leaves": leaves}
    return render(request, "matches/invitation.html", context)


@login_required
@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a place in a coming match that anyone can join."""
    page = open_match_page(request, public_id)
    try:
        player = joining.join(page.match, request.user)
        messages.success(request, f"You play in “{page.match.title}” as {set_apart(player.shown_name)}.")
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect(page.address())


@login_required
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
