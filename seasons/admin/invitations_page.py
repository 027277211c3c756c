"""The invitations to a season's open places on one page: links, QR codes, and a layout for paper."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse

from matches.admin.invitations_page import Invitation, qr_code
from seasons.models import Member, Season
from seasons.services.people import invitation_of


def show(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """The page. It changes nothing; links work until they are used or renewed, or the season is over."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    words = (f"Your place in the season “{season}”. You keep this handle in all its matches.",)
    context = {
        **model_admin.page(request, "Invitations", season),
        "season": season,
        "invitations": [Invitation(each, link, qr_code(link), words) for each, link in links(request, season).items()],
    }
    return render(request, "admin/seasons/season/invitations.html", context)


def links(request: HttpRequest, season: Season) -> dict[Member, str]:
    """Open place -> invitation link, in the order of the cast; none after the end."""
    if season.status == Season.Status.ENDED:
        return {}
    free = season.cast.filter(user=None, is_bot=False, status=Member.Status.IN).order_by("position", "pk")
    return {
        member: request.build_absolute_uri(reverse("season_invitations:invitation", args=[invitation_of(member)]))
        for member in free
    }
