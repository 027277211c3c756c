"""The preview for hosts: the public page of each phase of a match in which nobody acts, and its first deadlines.

It is played from the settings and the list of players, never from a match's state, and with its own seed, so it shows
nothing that was drawn or sealed in the match.
"""

from collections import defaultdict
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import structlog
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.validators import is_time_zone
from matches.engine.errors import ConfigError
from matches.engine.sentences import sentence
from matches.engine.simulation import MOST_SCENES, Preview
from matches.models import Match
from matches.pages import ahead
from matches.pages.texts import in_real_words
from matches.services.bots import with_stand_ins

logger = structlog.get_logger(__name__)

_FAILED = (
    "The rules failed, so the site cannot show a match with these settings. "
    "The site's administrators can find the fault in the site's log."
)


def show(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """Show the preview of a match that is not over, with its present settings; `?step=2` is the second scene."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    if match.is_over:
        messages.error(request, "The match is over, so there is nothing left to preview.")
        return redirect("admin:matches_match_change", match.pk)
    return _page(request, match, match.config, request.GET.get("step", ""))


def show_typed(request: HttpRequest, match: Match, config: dict[str, Any]) -> HttpResponse:
    """Show the preview of typed settings that are not stored. Its buttons send them along, so that the form can be
    shown again afterwards. `match` may be unsaved."""
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
        found = ahead.rehearsed(match, config)
        number = _number(step, len(found.scenes))
        context |= _steps(found, number, match.speed) | {"parts": ahead.parts_of(match, found.scenes[number - 1])}
    except ConfigError as error:
        context["problem"] = f"Nobody can play the match with these settings. {sentence(error.message)}"
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


# -- first deadlines, in the zones of everybody who plays or hosts, beside UTC -------------------------------

_SHOWN = 4
_NIGHT_ENDS = 7


class ZoneTime(NamedTuple):
    """A time in one zone, and whether it is at night there."""

    text: str
    at_night: bool


class ZoneLine(NamedTuple):
    """A zone, the people in it, and the times there."""

    zone: str
    people: list[str]
    moments: list[ZoneTime]


class FirstDeadlines(NamedTuple):
    """`labels`: what each time is: the beginning, then what each deadline does."""

    labels: list[str]
    lines: list[ZoneLine]


def first_deadlines(match: Match, starts_at: datetime) -> FirstDeadlines | None:
    """Return the beginning and the first deadlines of a match that starts at this instant if nobody acts; None if the
    rules cannot play it as it is."""
    try:
        scenes = ahead.rehearsed(match, match.config, _SHOWN + 1).scenes
    except ConfigError:
        return None
    except Exception:  # whatever a game's rules raise, publishing says what is wrong
        logger.exception("first_deadlines_failed", game=match.game)
        return None
    moments = [starts_at + scene.time / match.speed for scene in scenes]
    game = match.rules
    untils = [game.progress(game.public_view(scene.state)).until for scene in scenes[:-1]]
    zones = _zones(match)
    lines = [_line("UTC", UTC, zones.pop("UTC", []), moments)]
    lines += [_line(zone, ZoneInfo(zone), people, moments) for zone, people in zones.items()]
    labels = [f"{scene.label}: {until}" for scene, until in zip(scenes, untils, strict=False)]
    return FirstDeadlines(["Begins", *labels], lines)


def _zones(match: Match) -> dict[str, list[str]]:
    """Zone -> its people, players by handle and hosts by username; zones with the most people first."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for player in match.players.filter(user__isnull=False).select_related("user").order_by("position", "pk"):
        found[_zone_of(player.user)].append(player.handle)
    for host in match.hosts.order_by("username"):
        found[_zone_of(host)].append(f"{host.username} (host)")
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def _zone_of(person: Any) -> str:
    return person.time_zone if is_time_zone(person.time_zone) else "UTC"


def _line(zone: str, tz: tzinfo, people: list[str], moments: list[datetime]) -> ZoneLine:
    local = [at.astimezone(tz) for at in moments]
    return ZoneLine(
        zone.replace("_", " "),
        people,
        [ZoneTime(f"{at:%a} {at.day} {at:%b}, {at:%H:%M}", bool(people) and at.hour < _NIGHT_ENDS) for at in local],
    )
