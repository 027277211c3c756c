"""What hosts have said, and a player's questions to them, as JSON."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from matches.api import codes, shapes
from matches.api.bodies import read_body
from matches.api.described import About, described
from matches.api.players import one_key, player_of_match, sender_of
from matches.api.replies import Reply
from matches.api.requests import endpoint, for_asker
from matches.api.views import body_of, shown_to, viewer_of_match
from matches.queries import announcements
from matches.queries import matches as match_queries
from matches.queries.access import Viewer
from matches.services.questions import Asked, ask_hosts


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
