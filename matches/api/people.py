"""Endpoints about people: who asks, public profiles, a match's players, one's own place, and questions to the hosts."""

from typing import Any, Literal

from django.http import HttpRequest
from msgspec import Struct

from accounts.models import ApiToken
from matches.api import codes, shapes
from matches.api.actions import read_body, sent, visible
from matches.api.codes import About, Codes
from matches.api.replies import ApiError, Reply, for_asker, not_signed_in, reply
from matches.api.requests import PAST, Parameter, endpoint, next_page, placed, token_of, who, whole
from matches.api.shapes import Accepted
from matches.api.views import shown_to, versions_of, viewer_of_match
from matches.models import Match, Player
from matches.pages.extensions import sections_of
from matches.queries import announcements, lists, profiles
from matches.queries.access import Account, accounts_of
from matches.queries.lists import MyMatch
from matches.queries.match_info import info_of
from matches.queries.places import OwnPlace, own_place
from matches.services import absences
from matches.services.actions import not_a_player
from matches.services.questions import ask_hosts

# -- people ----------------------------------------------------------------------------------------------
# Public profiles, and who plays in a match.


class NobodyShown(Struct):
    """A person who shows nothing on their page."""

    username: str
    name: str
    is_bot: bool
    is_shown: Literal[False]


class PersonShown(Struct):
    """A person's public profile."""

    username: str
    name: str
    is_bot: bool
    is_shown: Literal[True]
    since: str
    results: list[profiles.Tally]
    awards: list[profiles.Award]
    sections: dict[str, Any]
    hosted: list[profiles.Line]
    matches: list[profiles.Line]
    count: int
    next: shapes.Next


_HOSTED = 50
_NOBODY = "Nobody has that username."


@endpoint(
    GET=About(
        "A person, as everybody sees them",
        (PersonShown, NobodyShown),
        codes={404: {"unknown_person": _NOBODY}},
    ),
    after=PAST,
    limit=whole(50, 1, 200),
)
def person(request: HttpRequest, username: str, after: int, limit: int) -> Reply:
    """A person's results and awards, other sections, and a page of their matches, most recently joined first."""
    viewer = who(request)
    found = profiles.person_of(username)
    if found is None:
        raise ApiError(404, "unknown_person", _NOBODY)
    if not profiles.is_shown(found):
        return reply(NobodyShown(found.username, str(found), found.is_bot, False))
    played, ends = profiles.played_by(found), profiles.ends_of(found)
    count, end = played.count(), after + limit
    return reply(
        PersonShown(
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
    """The players of a match with their accounts. What the rules know about them is in the match's public view."""
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
    """Whose token this is, its scope, and when it expires."""
    user, token = _person(request)
    shown = None if token is None else _token(token)
    return for_asker(shapes.Me(user.username, str(user), user.is_bot, shown))


@endpoint(
    GET=About("Your matches, most recently joined first", shapes.MyMatches, codes=codes.SIGNED_IN, needs="read"),
    after=_PLACE,
    limit=_LIMIT,
)
def my_matches(request: HttpRequest, after: str, limit: int) -> Reply:
    """Every match in which you play (or only the token's match), which player you are, and what you must do now."""
    user, token = _person(request)
    with placed("after: you do not play in a match with this id."):
        page = lists.my_page(user, after, limit, only=token.limited_to if token else "")
    return for_asker(shapes.MyMatches([_mine(each) for each in page.items], next_page(request, after=page.last)))


def _person(request: HttpRequest) -> tuple[Any, ApiToken | None]:
    """Who asks, and with which token, whether it is limited to a match or not."""
    token = token_of(request)
    user = token.user if token else request.user
    if not user.is_authenticated:
        raise not_signed_in()
    return user, token


def _token(token: ApiToken) -> shapes.Token:
    return shapes.Token(token.name, "act" if token.may_act else "read", token.limited_to or None, token.expires_at)


def _mine(each: MyMatch) -> shapes.MyMatch:
    return shapes.MyMatch(info_of(each.match), each.player.handle, each.asked, versions_of(each.match, each.player))


# -- players ---------------------------------------------------------------------------------------------
# For endpoints that only players of the match may use.


def player_of_match(request: HttpRequest, public_id: str) -> tuple[Match, Player]:
    """Return the match and the player who asks. Raises `ApiError` for visitors and `NotAPlayer` for others."""
    viewer = viewer_of_match(request, public_id)
    if not viewer.user.is_authenticated:
        raise not_signed_in()
    if viewer.player is None:
        raise not_a_player(viewer.match)
    return viewer.match, viewer.player


# -- what is refused --------------------------------------------------------------------------------

_TEXT: Codes = {422: {"text_not_visible": "The reason has several lines, or characters that nobody can see."}}

OF_AN_ABSENCE: Codes = {
    409: {
        "absence_times": "The absence ends before it begins, is already over, is too long or is too far ahead.",
        "no_bots_stand_in": absences.NO_BOTS,
        "command_refused": "You cannot do this in this match, or not now.",
    },
    **_TEXT,
}

OF_A_PLACE: Codes = {
    429: {"too_often": "You have said that you are away too often in this match. Try again later."},
    409: {
        **OF_AN_ABSENCE[409],
        "not_away": absences.NOT_AWAY,
        "no_ready_check": absences.AS_ANNOUNCED,
        "bot_plays": codes.OF_AN_ACTION[409]["bot_plays"],
    },
    **_TEXT,
}


# -- places ----------------------------------------------------------------------------------------------
# A player's own place, and who is away: excused absences.


@endpoint(
    GET=About("Your place, and who is away", OwnPlace, codes=codes.OF_A_PLAYER, needs="read"),
    POST=About(
        "Say that you are away, back or ready",
        Accepted,
        shapes.OwnDoing,
        codes=codes.together(codes.SENT_ONCE, codes.NOT_A_PLAYER, OF_A_PLACE),
        needs="act",
        has_key=True,
    ),
)
def place(request: HttpRequest, public_id: str) -> Reply:
    """What the page “Your place” shows. A POST does one of three things, as on the page: `away`, `back` or `ready`."""
    if request.method == "POST":
        return _do(request, public_id)
    return for_asker(own_place(*player_of_match(request, public_id)))


def _do(request: HttpRequest, public_id: str) -> Reply:
    user, body, key = sent(request, public_id, counts=True)
    match, _ = player_of_match(request, public_id)
    match said := read_body(body, shapes.OwnDoing):
        case shapes.SayAway():
            reason = visible(said.reason)
            absences.say_away(match.pk, user.pk, said.since, said.until, reason, bot=said.bot, key=key)
        case shapes.SayBack():
            absences.come_back(match.pk, user.pk, key=key)
        case shapes.SayReady():
            absences.say_ready(match.pk, user.pk)
    return for_asker(Accepted(True))


# -- questions to the hosts --------------------------------------------------------------------------------
# What hosts have announced, and a player's questions to them.


@endpoint(GET=About("What hosts have said, oldest first", shapes.Notes, codes=codes.OF_A_MATCH))
def notes(request: HttpRequest, public_id: str) -> Reply:
    """Who hosts a match, and everything they have said in it, oldest first."""
    viewer = viewer_of_match(request, public_id)
    hosts, said = announcements.hosts_of(viewer.match), announcements.versions_of(viewer.match)
    return shown_to(viewer, shapes.Notes(hosts, said))


@endpoint(
    GET=About("Your questions to the hosts", shapes.OwnQuestions, codes=codes.OF_A_PLAYER, needs="read"),
    POST=About(
        "Ask the hosts",
        shapes.QuestionAsked,
        shapes.Text,
        codes=codes.together(codes.SENT_ONCE, codes.NOT_A_PLAYER, codes.OF_A_TEXT, codes.ASKING_HOSTS),
        needs="act",
        has_key=True,
    ),
)
def questions(request: HttpRequest, public_id: str) -> Reply:
    """A player's own questions with their answers, latest first. A POST asks another."""
    if request.method == "POST":
        return _ask(request, public_id)
    return for_asker(shapes.OwnQuestions(announcements.own_questions(*player_of_match(request, public_id))))


def _ask(request: HttpRequest, public_id: str) -> Reply:
    user, body, key = sent(request, public_id, counts=True)
    text = read_body(body, shapes.Text).text
    match, _ = player_of_match(request, public_id)
    asked = ask_hosts(match.pk, user.pk, text, key).question
    return for_asker(shapes.QuestionAsked(True, shapes.Asked(asked.token, asked.text, asked.at)))
