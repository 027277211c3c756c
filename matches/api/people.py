"""People for programs: who asks, a person as on their public page, and those who play in a match."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from accounts.models import ApiToken, User
from matches.api import codes, other_shapes, shapes
from matches.api.codes import About, described
from matches.api.replies import ApiError, Reply, not_signed_in, reply
from matches.api.requests import Parameter, endpoint, for_asker, token_of, who, whole
from matches.api.views import shown_to, viewer_of_match
from matches.engine.errors import MALFORMED
from matches.models import Match, Player
from matches.pages.extensions import sections_of
from matches.queries import lists, matches, profiles
from matches.queries.access import Account, accounts_of
from matches.queries.lists import MyMatch
from matches.queries.matches import to_json
from matches.queries.paging import UnknownPlace

# -- people ----------------------------------------------------------------------------------------------
# People as everybody may know them, for programs: one as on their public page, and those who play in a match.

_HOSTED = 50


@described(
    GET=About(
        "A person, as everybody may know them",
        (other_shapes.PersonShown, other_shapes.NobodyShown),
        codes={404: {"unknown_person": "Nobody has that username."}},
    )
)
@endpoint("GET", offset=whole(0, 0, 10**9), limit=whole(50, 1, 200))
def person(request: HttpRequest, username: str, offset: int, limit: int) -> Reply:
    """A person: results, awards, what other apps add, and a page of their matches, the last joined first."""
    viewer = who(request)
    found = profiles.person_of(username)
    if found is None:
        raise ApiError(404, "unknown_person", "There is nobody of that username.")
    shown = {"username": found.username, "name": str(found), "is_bot": found.is_bot}
    shown["is_shown"] = profiles.is_shown(found)
    if not shown["is_shown"]:
        return reply(shown)
    played = profiles.played_by(found)
    count, end = played.count(), offset + limit
    query = urlencode({"limit": limit, "offset": end})
    return reply(
        shown
        | _achieved(found)
        | {"sections": {section.name: section.data for section in sections_of(found, viewer)}}
        | {"hosted": to_json(profiles.hosted_lines(profiles.hosted_by(found)[:_HOSTED]))}
        | {"matches": to_json(profiles.played_lines(played[offset:end])), "count": count}
        | {"next": f"{request.path}?{query}" if end < count else None}
    )


@described(GET=About("Who plays, and which of them are bots", shapes.Players, codes=codes.OF_A_MATCH))
@endpoint("GET")
def players(request: HttpRequest, public_id: str) -> Reply:
    """The players of a match with their accounts. What the rules know of them is in the match's public view."""
    viewer = viewer_of_match(request, public_id)
    found = list(viewer.match.players.all())
    shown = [_player(player, account) for player, account in zip(found, accounts_of(found), strict=True)]
    answer = {"players": shown, "takes_bots": viewer.match.joining != Match.Joining.PEOPLE}
    return shown_to(viewer, answer)


def _player(player: Player, account: Account) -> dict[str, Any]:
    if player.is_bot:
        plays = "bot"
    elif player.user_id is None:
        plays = "nobody"
    else:
        plays = "bot_account" if account.is_bot else "person"
    return {"handle": player.handle, "name": player.shown_name, "username": account.username or None, "plays": plays}


def _achieved(found: User) -> dict[str, Any]:
    ends = profiles.ends_of(found)
    return {
        "since": f"{found.date_joined:%Y-%m}",
        "results": to_json(profiles.tallies_of(ends)),
        "awards": to_json(profiles.awards_of(ends)),
    }


# -- me --------------------------------------------------------------------------------------------------
# Who asks, with which token, and in which matches they play.

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
