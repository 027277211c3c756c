"""The invitations to a season's open places on one page: links, QR codes, a layout for paper, what became of them."""

from __future__ import annotations

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse

from matches.admin.invitations_page import Invitation, qr_code
from seasons.models import Member, Season
from seasons.queries.access import open_places, sent_in
from seasons.services.invitations import invitation_of


def show(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """The page. It changes nothing; links work until they are used or renewed, or the season is over."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    found = links(request, season)
    words = (f"Your place in the season “{season}”. You keep this handle in all its matches.",)
    context = {
        **model_admin.page(request, "Invitations", season),
        "season": season,
        "invitations": [Invitation(each, link, qr_code(link), words) for each, link in found.items()],
        "sent": sent_in(season),
        "base": request.build_absolute_uri("/").rstrip("/"),
        "link": "season_invitations:invitation",
        "follow_up": reverse("admin:seasons_season_invitation", args=[season.pk]),
        "invite": reverse("admin:seasons_season_command", args=[season.pk, "invite"]) if found else "",
        "key": secrets.token_urlsafe(12),
    }
    return render(request, "admin/seasons/season/invitations.html", context)


def links(request: HttpRequest, season: Season) -> dict[Member, str]:
    """Open place -> invitation link, in the order of the cast; none after the end."""
    return {
        member: request.build_absolute_uri(reverse("season_invitations:invitation", args=[invitation_of(member)]))
        for member in open_places(season)
    }
