"""A player's own place, and who is away, for programs: excused absences."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from matches.api import codes
from matches.api import place_shapes as shapes
from matches.api.bodies import read_body, visible
from matches.api.described import About, described
from matches.api.players import one_key, player_of_match, sender_of
from matches.api.replies import Reply
from matches.api.requests import endpoint, for_asker
from matches.api.shapes import Accepted
from matches.api.views import body_of
from matches.models import Match
from matches.queries import places as queries
from matches.services import absences


@described(
    GET=About("Your place, and who is away", shapes.PlaceView, codes=codes.OF_A_PLAYER, needs="read"),
    POST=About(
        "Be away, or come back",
        Accepted,
        shapes.OwnDoing,
        codes=codes.together(codes.SENT_ONCE, codes.NOT_A_PLAYER, shapes.OF_A_PLACE),
        needs="act",
        has_key=True,
    ),
)
@endpoint("GET", "POST")
def place(request: HttpRequest, public_id: str) -> Reply:
    """What the page “Your place” shows. A POST does one thing: `away` or `back`; they work as on the page."""
    if request.method == "POST":
        return _do(request, public_id)
    viewer = player_of_match(request, public_id)
    return for_asker(_own(viewer.match, viewer.player))


def _own(match: Match, player: Any) -> dict[str, Any]:
    found = queries.own_place(match, player)
    return {
        "player": player.handle,
        "bots_stand_in": found.bots_stand_in,
        "bot_plays": found.bot_plays,
        "own": _in_full(found.own) if found.own else None,
        "away": [_times(each) for each in found.away if each.handle != player.handle],
    }


def _times(away: queries.Away) -> dict[str, Any]:
    return {
        "player": away.handle,
        "since": away.since.isoformat(),
        "until": away.until.isoformat(),
        "bot": away.bot,
        "is_now": away.is_now,
    }


def _in_full(away: queries.Away) -> dict[str, Any]:
    return {**_times(away), "reason": away.reason, "noted_by": away.noted_by}


def _do(request: HttpRequest, public_id: str) -> Reply:
    body = body_of(request)
    user = sender_of(request, public_id)
    key = one_key(request)
    match = player_of_match(request, public_id).match
    match said := read_body(body, shapes.OwnDoing):
        case shapes.SayAway():
            reason = visible(said.reason)
            absences.say_away(match.pk, user.pk, said.since, said.until, reason, bot=said.bot, key=key)
        case shapes.SayBack():
            absences.come_back(match.pk, user.pk, key=key)
    return for_asker({"accepted": True})
