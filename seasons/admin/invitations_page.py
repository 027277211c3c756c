"""The invitations to a season's open places on one page: links, QR codes, and a layout for paper."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString

from matches.admin.invitations_page import qr_code
from seasons.models import Member, Season
from seasons.services.people import invitation_of


class Invitation(NamedTuple):
    """An open place, the link with which one person can take it, and the link as a QR code (SVG)."""

    member: Member
    link: str
    code: SafeString


def show(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """The page. It changes nothing; links work until they are used or renewed, or the season is over."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    context = {
        **model_admin.page(request, "Invitations", season),
        "season": season,
        "invitations": [Invitation(each, link, qr_code(link)) for each, link in links(request, season).items()],
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
