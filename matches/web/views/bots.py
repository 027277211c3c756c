"""The page that teaches programs to play, and the bot that it begins with."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.api.actions import LARGEST_BODY
from matches.api.codes import OF_AN_ACTION
from matches.api.samples import sample_of
from matches.engine.actions import Action, Decision
from matches.engine.game import AnyGame
from matches.games.registry import all_games
from matches.services.refusals import QUOTAS

_EXAMPLE = settings.BASE_DIR / "examples" / "bot.py"


class ActionLine(NamedTuple):
    """An action as the page lists it: a body with the fields that it must have, and the names of the others."""

    name: str
    sample: str
    optional: tuple[str, ...]
    text: str


class GameLines(NamedTuple):
    """A match type as the page explains it: its actions, and what the views say of themselves."""

    game: AnyGame
    actions: list[ActionLine]
    public: str
    private: str


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """From a token to the first bid, step by step."""
    games = list(all_games().values())
    context = {
        "site": request.build_absolute_uri("/").rstrip("/"),
        "games": [GameLines(each, _lines(each), _said(each.public_type), _said(each.private_type)) for each in games],
        "decisions": [_line(kind) for kind in Decision.__subclasses__()],
        "codes": OF_AN_ACTION[422],
        "example": _example(),
        "rate": settings.ACTION_RATE,
        "largest": LARGEST_BODY // 1024,
        "most_refused": QUOTAS[0][0],
    }
    return render(request, "matches/bots.html", context)


@require_safe
def example(request: HttpRequest) -> HttpResponse:
    """The example as a file."""
    response = HttpResponse(_example(), content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="bot.py"'
    return response


@cache
def _example() -> str:
    return str(_EXAMPLE.read_text("utf-8"))


def _lines(game: AnyGame) -> list[ActionLine]:
    return [_line(kind) for kind in game.actions.values() if not issubclass(kind, Decision)]


def _line(kind: type[Action]) -> ActionLine:
    fields: Any = msgspec.structs.fields(kind)
    optional = tuple(field.name for field in fields if not field.required)
    return ActionLine(str(kind.__struct_config__.tag), sample_of(kind), optional, _said(kind))


def _said(kind: type[Any]) -> str:
    return " ".join((kind.__doc__ or "").split())
