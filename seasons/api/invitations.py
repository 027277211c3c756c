"""Invitations to open places of a season's cast, for the programs of its hosts."""

from __future__ import annotations

from django.http import HttpRequest

from matches.api import codes, place_shapes
from matches.api.described import About, described
from matches.api.invitations import carry_out, link_to, shown
from matches.api.replies import ApiError, Reply
from matches.api.requests import endpoint, for_asker
from seasons.api import host_shapes, shapes
from seasons.api.asking import hosted_season, sent_to_season
from seasons.models import Member, Season
from seasons.queries.invitations import open_places, sent_in, sent_one
from seasons.services import invitations as services

_ROUTE = "season_invitations:invitation"


@described(
    GET=About(
        "Open places and invitations, for hosts",
        place_shapes.Invitations,
        codes=codes.together(codes.CHANGING, shapes.HIDDEN, host_shapes.OF_HOSTS),
        needs="act",
    ),
    POST=About(
        "Invite, send again, or revoke",
        place_shapes.InvitationDone,
        place_shapes.InvitationDoing,
        codes=codes.together(
            codes.CHANGING,
            codes.WITH_A_KEY,
            codes.COUNTED,
            shapes.HIDDEN,
            host_shapes.OF_HOSTS,
            place_shapes.OF_HOSTS,
            place_shapes.COMMANDING,
            place_shapes.OF_AN_INVITATION,
        ),
        needs="act",
        has_key=True,
    ),
)
@endpoint("GET", "POST")
def invitations(request: HttpRequest, public_id: str) -> Reply:
    """The links with which somebody can take an open place, and what became of each; a POST makes one, sends it again
    or revokes it. With a link one can act, so a token that may only read does not get them. Whoever asks can never be a
    member of this season, as after opening its console."""
    if request.method == "POST":
        return _do(request, public_id)
    season, _ = hosted_season(request, public_id, to_act=True)
    found = {
        "open": [
            {"place": each.handle, "link": link_to(request, services.invitation_of(each), _ROUTE)}
            for each in open_places(season)
        ],
        "invitations": [shown(request, each, _ROUTE) for each in sent_in(season)],
    }
    return for_asker(found)


def _do(request: HttpRequest, public_id: str) -> Reply:
    season, user, said, key = sent_to_season(request, public_id, place_shapes.InvitationDoing)
    made = carry_out(services, season, user, said, key, _place_of)
    return for_asker({"accepted": True, "invitation": shown(request, sent_one(made.pk), _ROUTE)})


def _place_of(season: Season, handle: str) -> Member:
    place = Member.objects.filter(season=season, handle=handle[:30]).first()
    if place is None:
        raise ApiError(404, "unknown_place", "There is no such place in this season.")
    return place
