"""The cast of a season, for the programs of its hosts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from matches.api import codes
from matches.api.bodies import person_of, visible
from matches.api.described import About, described
from matches.api.replies import Reply
from matches.api.requests import endpoint, for_asker
from matches.api.shapes import Accepted
from matches.engine.errors import MALFORMED
from matches.queries.amounts import plain
from matches.services.errors import CommandRefused
from matches.services.roster import PlayerChange
from seasons.api import host_shapes, shapes
from seasons.api.asking import done, hosted_season, sent_to_season
from seasons.models import Member, Season
from seasons.services.cast import change_cast
from seasons.services.cast_list import MOST_AMOUNT


@described(
    GET=About(
        "The cast and what each member began with, for hosts",
        host_shapes.OpeningCast,
        codes=codes.together(codes.SIGNED_IN, shapes.HIDDEN, host_shapes.OF_HOSTS),
        needs="read",
    ),
    POST=About(
        "Set the whole cast of a draft",
        Accepted,
        host_shapes.WholeCast,
        codes=codes.together(codes.COUNTED, shapes.COMMANDING, host_shapes.OF_COMMANDS),
        needs="act",
        has_key=True,
    ),
)
@endpoint("GET", "POST")
def cast(request: HttpRequest, public_id: str) -> Reply:
    """Who is in the cast, and with what they began. A POST says what the whole cast is: members are known by their
    handles, and an open place that stays keeps its invitation. Everything is done, or, if one member is refused,
    nothing. Whoever asks can never be a member of this season, as after opening its console."""
    if request.method == "POST":
        season, user, said, _ = sent_to_season(request, public_id, host_shapes.WholeCast)
        return done(lambda: change_cast(season, user, _changes(season, said.cast)))
    season, _ = hosted_season(request, public_id)
    found = [_shown(member) for member in season.cast.select_related("user").order_by("position", "pk")]
    return for_asker({"cast": found})


def _shown(member: Member) -> dict[str, Any]:
    return {
        "handle": member.handle,
        "username": member.user.username if member.user else None,
        "is_bot": member.is_bot,
        "name": member.name,
        "team": member.team,
        "garnets": member.garnets,
        "priority": member.priority,
        "blood_garnets": str(plain(member.blood_garnets)),
    }


def _changes(season: Season, listed: list[host_shapes.OpeningMember]) -> list[PlayerChange]:
    """What makes the present cast the listed one."""
    known = dict(season.cast.values_list("handle", "pk"))
    changes = [PlayerChange(known.pop(each.handle, None), _values(each)) for each in listed]
    return [*(PlayerChange(pk, {}, remove=True) for pk in known.values()), *changes]


def _values(said: host_shapes.OpeningMember) -> dict[str, Any]:
    if not (said.blood_garnets.is_finite() and 0 <= said.blood_garnets <= MOST_AMOUNT):
        raise CommandRefused(f"Blood garnets are from 0 to {MOST_AMOUNT}.", code=MALFORMED, field="blood_garnets")
    return {
        "user": None if said.username is None else person_of(said.username),
        "is_bot": said.is_bot,
        "handle": said.handle,
        "name": visible(said.name),
        "team": visible(said.team),
        "garnets": said.garnets,
        "priority": said.priority,
        "blood_garnets": said.blood_garnets,
    }
