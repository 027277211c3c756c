"""Trusted viewers: what they see of a match, and the buttons with which they come and go."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from matches.pages import rendering
from matches.pages.replays import to_look_at
from matches.services.errors import CommandRefused
from matches.web.match_page import open_match_page
from seasons.pages.extensions import seen_through
from seasons.services import viewers
from seasons.web.page import open_season_page


@require_safe
@login_required
def their_view(request: HttpRequest, public_id: str) -> HttpResponse:
    """A match as the member sees it whose trusted viewer this person is; nothing can be done there."""
    page = open_match_page(request, public_id)
    player = seen_through(page.viewer)
    if player is None:
        raise Http404("nobody's trusted viewer here")
    seen = rendering.public_parts(page.position, page.now) | rendering.private_parts(page.position, player, page.now)
    parts = {name: to_look_at(seen[name]) for name in _SHOWN}
    context = page.context(VIEW, parts=parts, me=page.shown.people.get(player.handle))
    return render(request, "seasons/their_view.html", context)


VIEW = "their_view"
_SHOWN = ("status", "purse", "board", "decisions", "panel", "more", "players", "private_feed")


@require_POST
@login_required
def act(request: HttpRequest, public_id: str, token: str, act: str) -> HttpResponse:
    """The member accepts or declines a viewer; the member, the viewer or a host ends it."""
    page = open_season_page(request, public_id)
    try:
        if act == "stop":
            viewer = viewers.stop(page.season, request.user, token)
            messages.success(request, f"{viewer.user} no longer sees what {viewer.member.shown_name} sees.")
        elif act in ("accept", "decline"):
            viewer = viewers.answer(page.season, request.user, token, accepts=act == "accept")
            said = "sees what you see from now on" if act == "accept" else "does not see what you see"
            messages.success(request, f"{viewer.user} {said}.")
        else:
            raise Http404("no such button")
    except CommandRefused as refusal:
        messages.error(request, refusal.message)
    return redirect("seasons:season", public_id)
