"""What a player reads and sends besides actions: their place, and questions to the hosts."""

from django.http import HttpRequest

from matches.api import codes, shapes
from matches.api.actions import read_body, sent, visible
from matches.api.codes import About, Codes
from matches.api.replies import Reply, for_asker, not_signed_in
from matches.api.requests import endpoint
from matches.api.shapes import Accepted
from matches.api.views import shown_to, viewer_of_match
from matches.models import Match, Player
from matches.queries import announcements
from matches.queries.places import OwnPlace, own_place
from matches.services import absences, readiness
from matches.services.actions import not_a_player
from matches.services.questions import ask_hosts

# -- players ---------------------------------------------------------------------------------------------
# Who asks, where only a player of the match may: for what a player reads and sends besides actions.


def player_of_match(request: HttpRequest, public_id: str) -> tuple[Match, Player]:
    """The match, and who asks as one of its players. Raises `ApiError` for visitors, `NotAPlayer` for all others."""
    viewer = viewer_of_match(request, public_id)
    if not viewer.user.is_authenticated:
        raise not_signed_in()
    if viewer.player is None:
        raise not_a_player(viewer.match)
    return viewer.match, viewer.player


# -- what is refused --------------------------------------------------------------------------------

_TEXT: Codes = {422: {"text_not_visible": "It has several lines, or characters that nobody can see."}}

OF_AN_ABSENCE: Codes = {
    409: {
        "absence_times": "It ends before it begins, or has ended, or is too long, or too far ahead.",
        "no_bots_stand_in": absences.NO_BOTS,
        "command_refused": "Not possible in this match, or not now.",
    },
    **_TEXT,
}

OF_A_PLACE: Codes = {
    429: {"too_often": "You have said that you are away too often in this match. Try again later."},
    409: {
        **OF_AN_ABSENCE[409],
        "not_away": absences.NOT_AWAY,
        "no_ready_check": readiness.AS_ANNOUNCED,
        "bot_plays": codes.OF_AN_ACTION[409]["bot_plays"],
    },
    **_TEXT,
}


# -- places ----------------------------------------------------------------------------------------------
# A player's own place, and who is away, for programs: excused absences.


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
    """What the page “Your place” shows. A POST does one of three things, `away`, `back` or `ready`, as on
    the page."""
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
            readiness.say_ready(match.pk, user.pk)
    return for_asker(Accepted(True))


# -- questions to the hosts --------------------------------------------------------------------------------
# What hosts have said, and a player's questions to them, as JSON.


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
