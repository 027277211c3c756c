"""The page of all invitations of a match or a season: links, QR codes, a print layout, and what hosts do with them."""

import secrets
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from matches.admin import formats
from matches.admin.changelist import is_id
from matches.admin.commands.base import one_time_key
from matches.admin.commands.people import INVITE
from matches.models import Match, Player
from matches.queries.places import sent_in
from matches.services.commands import AlreadyDone
from matches.services.errors import Refused
from matches.services.joining import invitation_of, renew_invitation, revoke, send_again


class Invitation(NamedTuple):
    """An open place (a player or season member), its link, also as a QR code (SVG), and the invitation's paragraphs."""

    place: Any
    link: str
    code: SafeString
    words: tuple[str, ...]


class Invitations(NamedTuple):
    """How a match or a season invites: its open places in order, the code and the URL name of their links, the text of
    an invitation, the invitations sent, whether hosts can make one now, and their commands."""

    open_places: Callable[[Any], Iterable[Any]]
    code_of: Callable[[Any], str]
    link: str
    words: Callable[[Any, Any], tuple[str, ...]]
    sent_in: Callable[[Any], list[Any]]
    may_invite: Callable[[Any], bool]
    renew: Callable[..., object]
    again: Callable[..., Any]
    revoke: Callable[..., Any]

    def links(self, request: HttpRequest, subject: Any) -> dict[Any, str]:
        """Return open place -> the full link to it."""
        return {
            place: request.build_absolute_uri(reverse(self.link, args=[self.code_of(place)]))
            for place in self.open_places(subject)
        }


def show(model_admin: Any, request: HttpRequest, subject: Any) -> HttpResponse:
    """Show the page. Links work until they are used or renewed, or all is over."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    its: Invitations = model_admin.invitations
    way = f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}"
    found = its.links(request, subject)
    context = {
        **model_admin.page(request, "Invitations", subject),
        "invitations": [
            Invitation(each, link, qr_code(link), its.words(subject, each)) for each, link in found.items()
        ],
        "sent": its.sent_in(subject),
        "base": request.build_absolute_uri("/").rstrip("/"),
        "link": its.link,
        "follow_up": reverse(f"{way}_invitation", args=[subject.pk]),
        "invite": reverse(f"{way}_command", args=[subject.pk, "invite"]) if its.may_invite(subject) else "",
        "key": secrets.token_urlsafe(12),
    }
    return render(request, "admin/invitations.html", context)


def _open_places(match: Match) -> Iterable[Player]:
    if match.is_over:
        return ()
    return match.players.filter(user=None, is_bot=False).order_by("position", "pk")


def _words(match: Match, player: Player) -> tuple[str, ...]:
    team = f" You play in team {player.team}." if player.team else ""
    place = f"Your place in “{match}”, {match.rules.title}.{team}"
    if match.starts_at is None or match.has_begun:
        return (place,)
    return place, f"Begins on {formats.instant(match.starts_at)}."


OF_A_MATCH = Invitations(
    _open_places, invitation_of, "matches:invitation", _words, sent_in, INVITE.may, renew_invitation, send_again, revoke
)


def qr_code(text: str) -> SafeString:
    """Return a QR code as inline SVG, with the white margin that readers need."""
    code: Any = QRCode(error_correction=ERROR_CORRECT_M, border=4)
    code.add_data(text)
    rows = code.get_matrix()
    size = len(rows)
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return mark_safe(  # noqa: S308  (drawn from bits alone)
        f'<svg class="qr" viewBox="0 0 {size} {size}"><path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/>'
        f'<path d="{dark}"/></svg>'
    )


# -- what hosts do with invitations --------------------------------------------------------------------------


def renew(request: HttpRequest, subject: Any, its: Invitations) -> None:
    """Renew the link to an open place, once for each link that a page has shown, and report the result."""
    number = request.POST.get("place", "")
    place = next((each for each in its.open_places(subject) if str(each.pk) == number), None)
    if place is None:
        messages.error(request, "That open place no longer exists.")
        return
    try:
        its.renew(subject, request.user, place, nonce=request.POST.get("nonce", ""))
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"{place} has a new link. The old one no longer works.")


def follow_up(request: HttpRequest, subject: Any, its: Invitations) -> None:
    """Send an invitation again, or revoke it, and report the result. Each form of the page works once."""
    number = request.POST.get("invitation", "")
    is_again = request.POST["do"] == "again"
    page = one_time_key(request)
    key = f"{page} {'again' if is_again else 'revoke'} {number}" if page and is_id(number) else ""
    do = its.again if is_again else its.revoke
    try:
        found = do(subject, request.user, int(number) if is_id(number) else 0, key=key)
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        gone = f"The link to {found.place}'s place no longer works."
        messages.success(request, f"The site has sent {found.sent_to} the link again." if is_again else gone)
