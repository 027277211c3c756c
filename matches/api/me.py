"""Who asks, with which token, and in which matches they play."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from accounts.models import ApiToken
from matches.api import codes, shapes
from matches.api.described import About, described
from matches.api.query import Parameter, whole
from matches.api.replies import ApiError, Reply, not_signed_in
from matches.api.requests import endpoint, for_asker, token_of
from matches.engine.errors import MALFORMED
from matches.queries import lists, matches
from matches.queries.lists import MyMatch
from matches.queries.matches import to_json
from matches.queries.paging import UnknownPlace

_LIMIT = whole(20, 1, 50)
_PLACE = Parameter("", "the id of a match of yours", str)


@described(GET=About("Who you are, and what your token may do", shapes.Me, codes=codes.SIGNED_IN, needs="read"))
@endpoint("GET")
def me(request: HttpRequest) -> Reply:
    """Whose token this is, its scope, and when it ends."""
    user, token = _person(request)
    shown = {"username": user.username, "name": str(user), "is_bot": user.is_bot, "token": token and _token(token)}
    return for_asker(shown)


@described(GET=About("Your matches, the last joined first", shapes.MyMatches, codes=codes.SIGNED_IN, needs="read"))
@endpoint("GET", after=_PLACE, limit=_LIMIT)
def my_matches(request: HttpRequest, after: str, limit: int) -> Reply:
    """Every match in which you play (with a token for one match: that one), as which player, and what you are asked
    there now."""
    user, token = _person(request)
    try:
        page = lists.my_page(user, after, limit, only=token.limited_to if token else "")
    except UnknownPlace:
        raise ApiError(400, MALFORMED, "after: you do not play in a match with this id.") from None
    query = urlencode({"limit": limit, "after": page.last})
    shown = {"matches": [_mine(each) for each in page.items], "next": f"{request.path}?{query}" if page.last else None}
    return for_asker(shown)


def _person(request: HttpRequest) -> tuple[Any, ApiToken | None]:
    """Who asks, and with which token, be it limited to a match or not."""
    token = token_of(request)
    user = token.user if token else request.user
    if not user.is_authenticated:
        raise not_signed_in()
    return user, token


def _token(token: ApiToken) -> dict[str, Any]:
    return {
        "name": token.name,
        "scope": token.scope,
        "match": token.limited_to or None,
        "expires_at": token.expires_at.isoformat(),
    }


def _mine(each: MyMatch) -> dict[str, Any]:
    return {
        "match": matches.info_json(each.match),
        "handle": each.player.handle,
        "asked": to_json(each.asked),
        "versions": {"public": each.match.public_version, "private": each.player.version},
    }
