"""What a player reads and sends besides actions: their place, and questions to the hosts."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from msgspec import Meta, Struct

from matches.api import codes, shapes
from matches.api.actions import count, key_of, read_body, visible
from matches.api.codes import About, Codes, described
from matches.api.replies import Reply, not_signed_in
from matches.api.requests import endpoint, for_asker, require_csrf, signed_in
from matches.api.shapes import Accepted, Instant
from matches.api.views import body_of, shown_to, viewer_of_match
from matches.models import Match
from matches.queries import announcements
from matches.queries import matches as match_queries
from matches.queries import places as queries
from matches.queries.access import Viewer
from matches.services import absences
from matches.services.absences import LONGEST_REASON
from matches.services.actions import not_a_player
from matches.services.questions import Asked, ask_hosts

# -- players ---------------------------------------------------------------------------------------------
# Who asks, where only a player of the match may: for what a player reads and sends besides actions.


def player_of_match(request: HttpRequest, public_id: str) -> Viewer:
    """The match as one of its players sees it. Raises `ApiError` for visitors, `NotAPlayer` for all others."""
    viewer = viewer_of_match(request, public_id)
    if not viewer.user.is_authenticated:
        raise not_signed_in()
    if viewer.player is None:
        raise not_a_player(viewer.match)
    return viewer


def sender_of(request: HttpRequest, public_id: str = "") -> Any:
    """The signed-in person who sends something, to a match or not; that is counted. Raises `ApiError`."""
    user = signed_in(request, public_id, to_act=True)
    require_csrf(request)
    count(user.pk)
    return user


def one_key(request: HttpRequest) -> str:
    """The Idempotency-Key, empty without one. Raises `ApiError`."""
    key = request.headers.get("Idempotency-Key")
    return key_of([] if key is None else [key])


# -- a player's own place ---------------------------------------------------------------------------


class AwayTime(Struct):
    """Somebody is away, or will be. `bot`: a bot plays for them meanwhile."""

    player: str
    since: Instant
    until: Instant
    bot: bool
    is_now: bool


class OwnAway(AwayTime):
    """Your own. `noted_by`: the host who has noted it, empty if it was you; hosts read the reason, too."""

    reason: str
    noted_by: str


class PlaceView(Struct):
    """Your place. `bots_stand_in`: whether a bot can play for those who are away; `bot_plays`: whether one plays now.
    `away`: other players' absences."""

    player: str
    bots_stand_in: bool
    bot_plays: bool
    own: OwnAway | None
    away: list[AwayTime]


class _Away(Struct, forbid_unknown_fields=True, kw_only=True):
    since: Instant
    until: Instant
    reason: Annotated[str, Meta(max_length=LONGEST_REASON)] = ""
    bot: bool = False


class SayAway(_Away, tag_field="do", tag="away"):
    """You are away from then to then, instead of what was noted before."""


class SayBack(Struct, forbid_unknown_fields=True, tag_field="do", tag="back"):
    """You are back: no absence of yours counts any more, and a bot that plays for you stops."""


OwnDoing = SayAway | SayBack

# -- what is refused --------------------------------------------------------------------------------

_TEXT: Codes = {422: {"text_not_visible": "It has several lines, or characters that nobody sees."}}

OF_AN_ABSENCE: Codes = {
    409: {
        "absence_times": "It ends before it begins, or has ended, or is too long, or too far ahead.",
        "no_bots_stand_in": "In this match no bot plays for those who are away.",
        "command_refused": "Not in this match, or not now.",
    },
    **_TEXT,
}

OF_A_PLACE: Codes = {
    429: {"too_often": "You have said that you are away too often in this match. Try again later."},
    409: {
        **OF_AN_ABSENCE[409],
        "not_away": "You are not away, and no bot plays for you.",
        "bot_plays": "A bot of the site plays for you: come back first.",
    },
    **_TEXT,
}


# -- places ----------------------------------------------------------------------------------------------
# A player's own place, and who is away, for programs: excused absences.


@described(
    GET=About("Your place, and who is away", PlaceView, codes=codes.OF_A_PLAYER, needs="read"),
    POST=About(
        "Be away, or come back",
        Accepted,
        OwnDoing,
        codes=codes.together(codes.SENT_ONCE, codes.NOT_A_PLAYER, OF_A_PLACE),
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
    return for_asker(_own_place(viewer.match, viewer.player))


def _own_place(match: Match, player: Any) -> dict[str, Any]:
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
    match said := read_body(body, OwnDoing):
        case SayAway():
            reason = visible(said.reason)
            absences.say_away(match.pk, user.pk, said.since, said.until, reason, bot=said.bot, key=key)
        case SayBack():
            absences.come_back(match.pk, user.pk, key=key)
    return for_asker({"accepted": True})


# -- questions to the hosts --------------------------------------------------------------------------------
# What hosts have said, and a player's questions to them, as JSON.


@described(GET=About("What hosts have said, the oldest first", shapes.Notes, codes=codes.OF_A_MATCH))
@endpoint("GET")
def notes(request: HttpRequest, public_id: str) -> Reply:
    """Who hosts a match, and everything they have said in it, the oldest first."""
    viewer = viewer_of_match(request, public_id)
    said = [match_queries.to_json(version) for version in announcements.versions_of(viewer.match)]
    return shown_to(viewer, {"hosts": announcements.hosts_of(viewer.match), "notes": said})


@described(
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
@endpoint("GET", "POST")
def questions(request: HttpRequest, public_id: str) -> Reply:
    """A player's own questions with their answers, the latest first; a POST asks one more."""
    return _ask(request, public_id) if request.method == "POST" else _own(player_of_match(request, public_id))


def _own(viewer: Viewer) -> Reply:
    own = announcements.own_questions(viewer.match, viewer.player) if viewer.player else []
    return for_asker({"questions": [match_queries.to_json(each) for each in own]})


def _ask(request: HttpRequest, public_id: str) -> Reply:
    body = body_of(request)
    user = sender_of(request, public_id)
    text, key = read_body(body, shapes.Text).text, one_key(request)
    viewer = player_of_match(request, public_id)
    asked = ask_hosts(viewer.match.pk, user.pk, text, key)
    return for_asker({"accepted": True, "question": _asked(asked)})


def _asked(asked: Asked) -> dict[str, Any]:
    return {"token": asked.question.token, "text": asked.question.text, "at": asked.question.at.isoformat()}
