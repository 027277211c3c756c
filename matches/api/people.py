"""People for programs: who asks, a person as on their public page, and those who play in a match."""

from typing import Any

from django.http import HttpRequest

from accounts.models import ApiToken
from matches.api import codes, shapes
from matches.api.codes import About
from matches.api.replies import ApiError, Reply, for_asker, not_signed_in, reply
from matches.api.requests import PAST, Parameter, endpoint, next_page, placed, token_of, who, whole
from matches.api.views import shown_to, versions_of, viewer_of_match
from matches.models import Match, Player
from matches.pages.extensions import sections_of
from matches.queries import lists, profiles
from matches.queries.access import Account, accounts_of
from matches.queries.lists import MyMatch
from matches.queries.match_info import info_of

# -- people ----------------------------------------------------------------------------------------------
# People as everybody may know them, for programs: one as on their public page, and those who play in a match.

_HOSTED = 50
_NOBODY = "Nobody has that username."


@endpoint(
    GET=About(
        "A person, as everybody may know them",
        (shapes.PersonShown, shapes.NobodyShown),
        codes={404: {"unknown_person": _NOBODY}},
    ),
    after=PAST,
    limit=whole(50, 1, 200),
)
def person(request: HttpRequest, username: str, after: int, limit: int) -> Reply:
    """A person: results, awards, what other apps add, and a page of their matches, most recently joined first."""
    viewer = who(request)
    found = profiles.person_of(username)
    if found is None:
        raise ApiError(404, "unknown_person", _NOBODY)
    if not profiles.is_shown(found):
        return reply(shapes.NobodyShown(found.username, str(found), found.is_bot, False))
    played, ends = profiles.played_by(found), profiles.ends_of(found)
    count, end = played.count(), after + limit
    return reply(
        shapes.PersonShown(
            username=found.username,
            name=str(found),
            is_bot=found.is_bot,
            is_shown=True,
            since=f"{found.date_joined:%Y-%m}",
            results=profiles.tallies_of(ends),
            awards=profiles.awards_of(ends),
            sections={section.name: section.data for section in sections_of(found, viewer)},
            hosted=profiles.hosted_lines(profiles.hosted_by(found)[:_HOSTED]),
            matches=profiles.played_lines(played[after:end]),
            count=count,
            next=next_page(request, after=end if end < count else None),
        )
    )


@endpoint(GET=About("Who plays, and which of them are bots", shapes.Players, codes=codes.OF_A_MATCH))
def players(request: HttpRequest, public_id: str) -> Reply:
    """The players of a match with their accounts. What the rules know of them is in the match's public view."""
    viewer = viewer_of_match(request, public_id)
    found = list(viewer.match.players.all())
    shown = [_player(player, account) for player, account in zip(found, accounts_of(found), strict=True)]
    return shown_to(viewer, shapes.Players(shown, viewer.match.joining != Match.Joining.PEOPLE))


def _player(player: Player, account: Account) -> shapes.WhoPlays:
    plays: shapes.Plays
    if player.is_bot:
        plays = "bot"
    elif player.user_id is None:
        plays = "nobody"
    else:
        plays = "bot_account" if account.is_bot else "person"
    return shapes.WhoPlays(player.handle, player.shown_name, account.username or None, plays)


# -- me --------------------------------------------------------------------------------------------------
# Who asks, with which token, and in which matches they play.

_LIMIT = whole(20, 1, 50)
_PLACE = Parameter("", "the id of one of your matches", str)


@endpoint(GET=About("Who you are, and what your token may do", shapes.Me, codes=codes.SIGNED_IN, needs="read"))
def me(request: HttpRequest) -> Reply:
    """Whose token this is, its scope, and when it ends."""
    user, token = _person(request)
    shown = None if token is None else _token(token)
    return for_asker(shapes.Me(user.username, str(user), user.is_bot, shown))


@endpoint(
    GET=About("Your matches, most recently joined first", shapes.MyMatches, codes=codes.SIGNED_IN, needs="read"),
    after=_PLACE,
    limit=_LIMIT,
)
def my_matches(request: HttpRequest, after: str, limit: int) -> Reply:
    """Every match in which you play (or only the token's match), which player you are, and what you have to do
    now."""
    user, token = _person(request)
    with placed("after: you do not play in a match with this id."):
        page = lists.my_page(user, after, limit, only=token.limited_to if token else "")
    return for_asker(shapes.MyMatches([_mine(each) for each in page.items], next_page(request, after=page.last)))


def _person(request: HttpRequest) -> tuple[Any, ApiToken | None]:
    """Who asks, and with which token, be it limited to a match or not."""
    token = token_of(request)
    user = token.user if token else request.user
    if not user.is_authenticated:
        raise not_signed_in()
    return user, token


def _token(token: ApiToken) -> shapes.Token:
    return shapes.Token(token.name, "act" if token.may_act else "read", token.limited_to or None, token.expires_at)


def _mine(each: MyMatch) -> shapes.MyMatch:
    return shapes.MyMatch(info_of(each.match), each.player.handle, each.asked, versions_of(each.match, each.player))
