"""All invitations of a match on one page: links, QR codes, and a layout for paper; and what hosts do with them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Manager
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from matches.admin import formats
from matches.admin.commands.base import one_time_key
from matches.admin.commands.inviting import INVITE
from matches.admin.hosted import is_id
from matches.models import Match, Player
from matches.queries.invitations import sent_in
from matches.services.commands import AlreadyDone
from matches.services.errors import Refused
from matches.services.joining import invitation_of


class Invitation(NamedTuple):
    """An open place (a player, or a member of a season), the link with which one person can take it, the link as a QR
    code (SVG), and what the invitation says, a paragraph each."""

    place: Any
    link: str
    code: SafeString
    words: tuple[str, ...]


def show(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """The page. It changes nothing; links work until they are used or renewed, or the match is over."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    context = {
        **model_admin.page(request, "Invitations", match),
        "match": match,
        "invitations": [] if match.is_over else invitations(request, match),
        "sent": sent_in(match),
        "base": request.build_absolute_uri("/").rstrip("/"),
        "link": "matches:invitation",
        "follow_up": reverse("admin:matches_match_invitation", args=[match.pk]),
        "invite": reverse("admin:matches_match_command", args=[match.pk, "invite"]) if INVITE.may(match) else "",
        "key": secrets.token_urlsafe(12),
    }
    return render(request, "admin/matches/match/invitations.html", context)


def invitations(request: HttpRequest, match: Match) -> list[Invitation]:
    """Those of all open places, in list order."""
    found = []
    for player in match.players.filter(user=None, is_bot=False).order_by("position", "pk"):
        link = link_of(request, player)
        found.append(Invitation(player, link, qr_code(link), _words(match, player)))
    return found


def _words(match: Match, player: Player) -> tuple[str, ...]:
    team = f" You play in team {player.team}." if player.team else ""
    place = f"Your place in “{match}”, {match.rules.title}.{team}"
    if match.starts_at is None or match.has_begun:
        return (place,)
    return place, f"Begins {formats.instant(match.starts_at)}."


def link_of(request: HttpRequest, player: Player) -> str:
    """The full link with which one person can take this open place."""
    return request.build_absolute_uri(reverse("matches:invitation", args=[invitation_of(player)]))


def qr_code(text: str) -> SafeString:
    """A QR code as inline SVG, with the white margin that readers need."""
    code: Any = QRCode(error_correction=ERROR_CORRECT_M, border=4)
    code.add_data(text)
    rows = code.get_matrix()
    size = len(rows)
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return mark_safe(  # noqa: S308  (drawn from bits alone)
        f'<svg class="qr" viewBox="0 0 {size} {size}"><path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/>'
        f'<path d="{dark}"/></svg>'
    )


# -- what hosts do with them -----------------------------------------------------------------------------


def asked_for(places: Manager[Any], number: str) -> Any:
    """The place of this id among those of a match or a season; None if there is none."""
    return places.filter(pk=number).first() if is_id(number) else None


def renew(request: HttpRequest, place: Any, do: Callable[..., object]) -> None:
    """Let `do` renew the link to an open place (None: it is gone), once for each link that a page has shown, and say
    what came of it."""
    if place is None:
        messages.error(request, "That open place no longer exists.")
        return
    try:
        do(place, nonce=request.POST.get("nonce", ""))
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"{place} has a new link. The old one no longer works.")


def follow_up(request: HttpRequest, again: Callable[..., Any], revoke: Callable[..., Any]) -> None:
    """Send the invitation that was asked for `again`, or `revoke` it, and say what came of it. Each form of the page is
    carried out once: `again` and `revoke` get its key, and raise `AlreadyDone` the second time."""
    number = request.POST.get("invitation", "")
    is_again = request.POST["do"] == "again"
    page = one_time_key(request)
    key = f"{page} {'again' if is_again else 'revoke'} {number}" if page and is_id(number) else ""
    try:
        found = (again if is_again else revoke)(int(number) if is_id(number) else 0, key=key)
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        gone = f"The link to the place {found.place} no longer works."
        messages.success(request, f"{found.sent_to} has it again." if is_again else gone)
