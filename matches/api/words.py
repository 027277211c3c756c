"""A player's word for the chance of a coming match, for programs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from matches.api import codes, shapes
from matches.api.actions import read_json
from matches.api.described import About, described
from matches.api.players import player_of_match, sender_of
from matches.api.replies import ApiError, Reply
from matches.api.requests import endpoint, for_asker
from matches.api.views import body_of
from matches.engine.errors import MALFORMED
from matches.services.words import give_word, own_word


@described(
    GET=About("Your word for chance", shapes.OwnWord, codes=codes.OF_A_PLAYER, needs="read"),
    POST=About(
        "Add a word to chance",
        shapes.WordKept,
        shapes.GivenWord,
        codes=codes.together(codes.OF_A_MATCH, codes.CHANGING, codes.COUNTED, codes.NOT_A_PLAYER, codes.OF_A_WORD),
        needs="act",
    ),
)
@endpoint("GET", "POST")
def word(request: HttpRequest, public_id: str) -> Reply:
    """The player's own word, null if there is none; a POST keeps another one, or with an empty text none."""
    return _give(request, public_id) if request.method == "POST" else _own(request, public_id)


def _own(request: HttpRequest, public_id: str) -> Reply:
    viewer = player_of_match(request, public_id)
    return for_asker({"word": own_word(viewer.match, viewer.user.pk) or None})


def _give(request: HttpRequest, public_id: str) -> Reply:
    body = body_of(request)
    user = sender_of(request, public_id)
    text = _text(read_json(body))
    viewer = player_of_match(request, public_id)
    kept = give_word(viewer.match.pk, user.pk, text)
    return for_asker({"accepted": True, "word": kept or None})


def _text(value: Any) -> str:
    if not (isinstance(value, dict) and value.keys() == {"word"} and isinstance(value["word"], str)):
        raise ApiError(422, MALFORMED, 'The body is an object with one field: {"word": "your word"}, empty for none.')
    return str(value["word"])
