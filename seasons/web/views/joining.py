"""Invitations to open places of a season's cast."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches.services.errors import Refused
from seasons.models import Season
from seasons.services.invitations import claim, invited_member, note_opened, taken_by


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """The page behind an invitation link; a POST takes the place."""
    if (mine := taken_by(code, request.user)) and mine.season.is_public:
        return redirect(mine.season.get_absolute_url())
    member = mine or invited_member(code)
    if member is None:
        return render(request, "matches/invitation_gone.html", status=410)
    if request.method == "POST" and request.user.is_authenticated and mine is None:
        try:
            claim(code, request.user)
        except Refused as refused:
            if not taken_by(code, request.user):
                messages.error(request, refused.message)
        else:
            messages.success(request, f"You are in the cast of “{member.season.title}” as {member.handle}.")
        return redirect(request.path)
    if request.method == "GET" and mine is None:
        note_opened(code, request.user)
    context = {
        "season": member.season,
        "place": member.shown_name,
        "mine": mine,
        "has_begun": member.season.status != Season.Status.DRAFT,
    }
    return render(request, "seasons/invitation.html", context)
