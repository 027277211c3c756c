"""Invitations to places, for the programs of hosts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from matches.api import codes
from matches.api import place_shapes as shapes
from matches.api.bodies import person_of, read_body, visible
from matches.api.described import About, described
from matches.api.places import hosted_match, place_of
from matches.api.players import one_key, sender_of
from matches.api.replies import Reply
from matches.api.requests import endpoint, for_asker, who
from matches.api.views import body_of
from matches.infra.moments import iso
from matches.models import Link, Match
from matches.queries.invitations import Sent, sent_in, sent_one
from matches.services import invitations as services
from matches.services.joining import invitation_of

_ROUTE = "matches:invitation"


@described(
    GET=About(
        "Open places and invitations, for hosts",
        shapes.Invitations,
        codes=codes.together(codes.OF_A_MATCH, codes.CHANGING, shapes.OF_HOSTS),
        needs="act",
    ),
    POST=About(
        "Invite, send again, or revoke",
        shapes.InvitationDone,
        shapes.InvitationDoing,
        codes=codes.together(codes.SENT_ONCE, shapes.OF_HOSTS, shapes.COMMANDING, shapes.OF_AN_INVITATION),
        needs="act",
        has_key=True,
    ),
)
@endpoint("GET", "POST")
def invitations(request: HttpRequest, public_id: str) -> Reply:
    """The links with which somebody can take a place, and what became of each; a POST makes one, sends it again or
    revokes it. With a link one can act, so a token that may only read does not get them. Whoever asks can never play in
    this match, as after opening its console."""
    if request.method == "POST":
        return _do(request, public_id)
    who(request, public_id, to_act=True)
    match = hosted_match(request, public_id)
    found = {
        "open": [] if match.is_over else _open_places(request, match),
        "invitations": [shown(request, each) for each in sent_in(match)],
    }
    return for_asker(found)


def _open_places(request: HttpRequest, match: Match) -> list[dict[str, Any]]:
    players = match.players.filter(user=None, is_bot=False).order_by("position", "pk")
    return [{"place": each.handle, "link": link_to(request, invitation_of(each))} for each in players]


def shown(request: HttpRequest, sent: Sent, route: str = _ROUTE) -> dict[str, Any]:
    """An invitation to a match or, by its own `route`, to whatever else has places."""
    return {
        "number": sent.number,
        "place": sent.handle,
        "takes_over": sent.takes_over,
        "sent_to": sent.who,
        "made_at": iso(sent.made_at),
        "made_by": sent.made_by,
        "opened_at": iso(sent.opened_at),
        "expires_at": iso(sent.expires_at),
        "became": sent.became,
        "became_at": iso(sent.became_at),
        "link": link_to(request, sent.code, route) if sent.code else None,
    }


def link_to(request: HttpRequest, code: str, route: str = _ROUTE) -> str:
    """The link of this code, whole."""
    return request.build_absolute_uri(reverse(route, args=[code]))


def _do(request: HttpRequest, public_id: str) -> Reply:
    body = body_of(request)
    user = sender_of(request, public_id)
    key = one_key(request)
    match = hosted_match(request, public_id)
    said = read_body(body, shapes.InvitationDoing)
    made = carry_out(services, match, user, said, key, place_of)
    return for_asker({"accepted": True, "invitation": shown(request, sent_one(made.pk))})


def carry_out(
    services: Any, owner: Any, host: Any, said: shapes.InvitationDoing, key: str, place_of: Callable[[Any, str], Any]
) -> Link:
    """Do what a host says about an invitation by the `services` of its owner: a match, or what else has places."""
    match said:
        case shapes.SendAgain():
            made = services.send_again(owner, host, said.number, key=key)
        case shapes.Revoke():
            made = services.revoke(owner, host, said.number, key=key)
        case shapes.Invite():
            made = services.invite(
                owner,
                host,
                place_of(owner, said.place),
                sent_to=None if said.sent_to is None else person_of(said.sent_to),
                label=visible(said.label),
                lasts=None if said.lasts is None else timedelta(seconds=said.lasts),
                key=key,
            )
    found: Link = made
    return found
