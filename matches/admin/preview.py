"""The preview for hosts: the public page of each phase, for a match in which nobody acts.

It is played from the settings and the list of players alone, never from a match's state, and with its own seed. So it
shows nothing that was drawn or sealed in the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import structlog
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.errors import ConfigError
from matches.engine.preview import MOST_SCENES, Preview, Scene, preview_of
from matches.engine.sentences import sentence
from matches.models import Match, clock
from matches.pages.context import MatchContext, People, Person
from matches.pages.durations import in_real_words
from matches.pages.rendering import table_parts
from matches.pages.staged import staged
from matches.queries.matches import Position
from matches.services.stand_ins import with_stand_ins

logger = structlog.get_logger(__name__)

_NO_SEED = bytes(SEED_BYTES)
_FAILED = "The rules cannot show these settings. The site's administrators can find the fault in its log."


def show(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """The preview of a match that is not over, with its settings as they are now; `?step=2` is the second scene."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    if match.is_over:
        messages.error(request, "The match is over: there is nothing left to preview.")
        return redirect("admin:matches_match_change", match.pk)
    return _page(request, match, match.config, request.GET.get("step", ""))


def show_typed(request: HttpRequest, match: Match, config: dict[str, Any]) -> HttpResponse:
    """The same for typed settings that are not stored. Its buttons send them along, so that the form can be shown again
    afterwards. `match` may be unsaved."""
    hidden = ("csrfmiddlewaretoken", "_preview", "_update", "_save", "_confirm", "_back")
    typed = [(key, value) for key in request.POST if key not in hidden for value in request.POST.getlist(key)]
    return _page(request, match, config, request.POST.get("_preview", ""), typed=typed)


def _page(request: HttpRequest, match: Match, config: dict[str, Any], step: str, **more: Any) -> HttpResponse:
    context = {
        "match_title": match.title or f"New match of {match.rules.title}",
        "game_title": match.rules.title,
        "game": match.game,
        "back": reverse("admin:matches_match_change", args=[match.pk]) if match.pk else "",
        "placeholders": len(with_stand_ins(match)) - (match.players.count() if match.pk else 0),
        "running": match.has_begun,
        **more,
    }
    try:
        found = rehearsed(match, config)
        number = _number(step, len(found.scenes))
        context |= _steps(found, number, match.speed) | {"parts": _parts(match, found.scenes[number - 1])}
    except ConfigError as error:
        context["problem"] = f"These settings cannot be played: {sentence(error.message)}"
    except Exception:  # whatever a game's rules or templates raise, hosts get an answer
        logger.exception("preview_failed", game=match.game)
        context["problem"] = _FAILED
    return render(request, "admin/matches/match/preview.html", context)


def _number(step: str, most: int) -> int:
    """The requested scene, or the nearest one."""
    return min(max(int(step), 1), most) if step.isascii() and step.isdecimal() and len(step) < 9 else 1


def _steps(found: Preview, number: int, speed: int) -> dict[str, Any]:
    """The links to the previous and next scenes."""
    steps = [
        {"number": place, "label": scene.label, "after": in_real_words(scene.time, speed) if scene.time else ""}
        for place, scene in enumerate(found.scenes, start=1)
    ]
    return {
        "steps": steps,
        "step": steps[number - 1],
        "previous": steps[number - 2] if number > 1 else None,
        "next": steps[number] if number < len(steps) else None,
        "cut_at": None if found.whole else MOST_SCENES,
    }


# -- the rehearsal -------------------------------------------------------------------------------


def rehearsed(match: Match, config: dict[str, Any], most: int = MOST_SCENES) -> Preview:
    """The match with these settings and nobody who acts. Raises `ConfigError` where it cannot be played."""
    game, roster = match.rules, with_stand_ins(match)
    typed = game.read_config(config)
    game.check_roster(roster)
    return preview_of(game, typed, roster, Draw(_NO_SEED), most)


def _parts(match: Match, scene: Scene) -> dict[str, str]:
    """The public page's parts, as if the scene began now."""
    now = clock.now()
    position = Position(staged(match, scene.state, scene.time, now, _NO_SEED.hex()))
    return table_parts(position, MatchContext(position, now, People(_people(match))))


def _people(match: Match) -> Iterator[Person]:
    """Everybody in the roster, as everyone will know them."""
    known = {player.handle: player for player in match.players.all()} if match.pk else {}
    for index, entrant in enumerate(with_stand_ins(match)):
        player = known.get(entrant.handle)
        name = f"Player {index + 1}" if player is None else player.shown_name
        is_open = player is None or player.is_open
        yield Person(entrant.handle, name, index, entrant.team or "", player is not None and player.is_bot, is_open)
