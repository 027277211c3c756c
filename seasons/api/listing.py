"""The list of seasons, those that one looks after, and a new one."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from matches.api import codes
from matches.api.bodies import read_body, visible
from matches.api.described import About, described
from matches.api.players import one_key, sender_of
from matches.api.query import Parameter, whole
from matches.api.replies import ApiError, Reply, reply
from matches.api.requests import endpoint, for_asker, signed_in
from matches.api.views import body_of
from matches.queries.paging import UnknownPlace
from seasons.api import host_shapes, shapes
from seasons.api.asking import done, hour_of
from seasons.api.hosting import CODES
from seasons.api.views import head
from seasons.queries import lists
from seasons.services.drafting import create_season


def _id(text: str) -> str:
    if not re.fullmatch(r"[\w-]{1,40}", text, re.ASCII):
        raise ValueError(text)
    return text


@described(
    GET=About("The seasons, newest first", shapes.SeasonList, codes=shapes.UNKNOWN_PLACE),
    POST=About("Make a season", host_shapes.SeasonMade, host_shapes.NewSeason, codes=CODES, needs="act", has_key=True),
)
@endpoint("GET", "POST", after=Parameter("", "the id of a season", _id), limit=whole(50, 1, 200))
def seasons(request: HttpRequest, after: str, limit: int) -> Reply:
    """Public seasons, the newest first. A POST makes one: a draft, owned by whoever makes it; the same key a second
    time answers with the first."""
    if request.method == "POST":
        return _make(request)
    try:
        page = lists.seasons_page(after, limit)
    except UnknownPlace:
        raise ApiError(400, "unknown_place", "There is no such season to begin after.") from None
    query = urlencode({"limit": limit, "after": page.last})
    found = [_line(line) for line in page.items]
    return reply({"seasons": found, "next": f"{request.path}?{query}" if page.last else None})


def _line(line: lists.SeasonLine) -> dict[str, Any]:
    winners = [each.name for each in line.winners]
    return {**head(line.season), "members": line.members, "still_in": line.still_in, "winners": winners}


def _make(request: HttpRequest) -> Reply:
    body = body_of(request)
    user = sender_of(request)
    if not (user.is_staff and user.has_perm("seasons.add_season")):
        raise ApiError(403, "not_a_host", "Only hosts make seasons: an administrator makes somebody a host.")
    said = read_body(body, host_shapes.NewSeason)
    fields = {"description": visible(said.description, lines=True), **hour_of(said.usual_hour)}
    title, key = visible(said.title), one_key(request)
    return done(lambda: {"season": create_season(title, user, settings=said.settings, key=key, **fields).public_id})


@described(
    GET=About("The seasons that you host or observe", host_shapes.HostedSeasons, codes=codes.SIGNED_IN, needs="read")
)
@endpoint("GET")
def mine(request: HttpRequest) -> Reply:
    """The seasons that you look after, drafts too, the newest first, with your role in each."""
    user = signed_in(request)
    found = [{**_line(line), "role": role} for line, role in lists.looked_after(user)]
    return for_asker({"seasons": found})
