"""Views of people's public pages, and of the page that explains how to write a bot."""

from functools import cache
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.models import User
from matches.api.actions import LARGEST_BODY
from matches.api.codes import OF_AN_ACTION
from matches.api.schema import sample_of
from matches.engine.actions import Action, Decision
from matches.engine.game import AnyGame
from matches.games.registry import all_games
from matches.pages.extensions import sections_of
from matches.queries import profiles
from matches.services.refusal_quota import QUOTAS
from matches.web import spoilers
from matches.web.match_page import leaf

_PLAYED, _HOSTED, _HOSTED_AT_FIRST = 20, 24, 5


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Show a person's results, awards and matches; later pages have only more matches."""
    found = _person_of(username)
    if found.username != username:
        return redirect("matches:person", found.username)
    if not profiles.is_shown(found):
        return render(request, "people/person.html", _head(request, found) | {"is_shown": False})
    page, place = leaf(request, lambda after: profiles.played_page(found, after, _PLAYED))
    asks = spoilers.hides_results(request) and request.user.pk != found.pk and request.GET.get("results") != "show"
    played = [_as_shown(request, line) for line in page.items] if asks else page.items
    context = _head(request, found) | place | {"is_shown": True, "played": played, "are_hidden": asks}
    if place["is_first"] and asks:
        hosted = profiles.hosted_page(found, "", _HOSTED_AT_FIRST)
        context |= {"hosted": hosted.items, "more_hosted": bool(hosted.last)}
    elif place["is_first"]:
        ends = profiles.ends_of(found)
        hosted = profiles.hosted_page(found, "", _HOSTED_AT_FIRST)
        context |= {
            "tallies": profiles.tallies_of(ends),
            "total": profiles.tally_of(ends),
            "awards": profiles.awards_of(ends),
            "hosted": hosted.items,
            "more_hosted": bool(hosted.last),
            "sections": sections_of(found, request.user),
        }
    return render(request, "people/person.html", context)


def _as_shown(request: HttpRequest, line: profiles.Line) -> profiles.Line:
    """A line without the result of its match, unless the viewer has asked to see that."""
    if not spoilers.is_hidden(request, line.match):
        return line
    return msgspec.structs.replace(line, won=None, tokens=None, candidate=None)


@require_safe
def hosted(request: HttpRequest, username: str) -> HttpResponse:
    """List every public match that a person hosts."""
    found = _person_of(username)
    if found.username != username or not profiles.is_shown(found):
        return redirect("matches:person", found.username)
    page, place = leaf(request, lambda after: profiles.hosted_page(found, after, _HOSTED))
    return render(request, "people/hosted.html", _head(request, found) | place | {"hosted": page.items})


@login_required
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """Go to one's own page."""
    return redirect("matches:person", request.user.get_username())


def _person_of(username: str) -> User:
    found = profiles.person_of(username)
    if found is None:
        raise Http404("no such person")
    return found


def _head(request: HttpRequest, found: User) -> dict[str, object]:
    return {
        "name": str(found),
        "username": found.username,
        "is_bot": found.is_bot,
        "since": found.date_joined,
        "is_me": request.user.pk == found.pk,
    }


# -- bots ------------------------------------------------------------------------------------------------
# The page that explains how programs play, and the example bot.

_EXAMPLE = settings.BASE_DIR / "examples" / "bot.py"


class ActionLine(NamedTuple):
    """An action as the page lists it: a sample body with the required fields, and the names of the optional ones."""

    name: str
    sample: str
    optional: tuple[str, ...]
    text: str


class GameLines(NamedTuple):
    """A match type as the page explains it: its actions, and the docstrings of its views."""

    game: AnyGame
    actions: list[ActionLine]
    public: str
    private: str


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """Explain step by step how a program gets from a token to its first bid."""
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
    """Send the example bot as a file."""
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
