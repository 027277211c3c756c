"""Lists of matches: the front page, all of them, and mine."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple, cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches.games.registry import all_games
from matches.models import Match, clock
from matches.pages import rendering
from matches.pages.context import MatchContext
from matches.queries import matches as match_queries
from matches.queries.match_info import info_of
from matches.queries.matches import MyMatch

_TABLES, _RUNNING, _COMING, _FINISHED = 6, 9, 6, 6
_A_PAGE = 24


class Card(NamedTuple):
    """A match in a list. `glance`: its match type's summary as HTML; `me`: the viewer's position among its players,
    None for those who do not play in it."""

    shown: MatchContext
    glance: str
    me: int | None


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this site is, which matches can be joined, are running, are coming, and are finished."""
    open_tables = match_queries.open_tables(request.user)
    tables, running, coming, finished = (
        cards_of(matches, request.user, most)
        for matches, most in (
            (open_tables, _TABLES),
            (match_queries.running_matches(), _RUNNING),
            (match_queries.coming_matches().exclude(pk__in=open_tables.values("pk")), _COMING),
            (match_queries.finished_matches(), _FINISHED),
        )
    )
    asking = [mine for mine in _mine(request) if mine["asked"]]
    context = {
        "tables": tables,
        "running": running,
        "coming": coming,
        "finished": finished,
        "asking": asking,
        "games": list(all_games().values()),
        "now": clock.now(),
    }
    return render(request, "matches/home.html", context)


def cards_of(matches: QuerySet[Match], user: Any, most: int) -> list[Card]:
    """The first `most` of these matches, for a list that this person sees."""
    now = clock.now()
    return [_card(match, user, now) for match in matches.prefetch_related("players")[:most]]


def _card(match: Match, user: Any, now: datetime) -> Card:
    position = match_queries.Position(match)
    places = enumerate(match.players.all())
    me = next((place for place, player in places if user.is_authenticated and player.user_id == user.pk), None)
    return Card(MatchContext(position, now), rendering.summary(position, now), me)


_FILTERS = {
    "running": match_queries.running_matches,
    "coming": match_queries.coming_matches,
    "finished": match_queries.finished_matches,
}


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """All public matches, by status and by game; an unknown filter is ignored."""
    state, game = request.GET.get("state", ""), request.GET.get("game", "")
    found = _FILTERS[state]() if state in _FILTERS else match_queries.public_matches()
    game = game if game in all_games() else ""
    if game:
        found = found.filter(game=game)
    listed = Paginator(found, _A_PAGE).get_page(request.GET.get("page"))
    context = {
        "cards": cards_of(cast("QuerySet[Match]", listed.object_list), request.user, _A_PAGE),
        "listed": listed,
        "state": state if state in _FILTERS else "",
        "game": game,
        "states": [("", "All"), ("running", "Running"), ("coming", "Coming"), ("finished", "Finished")],
        "games": list(all_games().values()),
        "now": clock.now(),
    }
    return render(request, "matches/list.html", context)


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """My matches: first those that ask me something."""
    context = {"mine": _mine(request), "hosted": _hosted(request.user), "now": clock.now()}
    return render(request, "matches/mine.html", context)


def _hosted(user: Any) -> list[dict[str, Any]]:
    """A person's hosted matches. `console`: its page, if they may sign in there; `is_set_aside`: after a fault."""
    return [
        {
            "match": info_of(match),
            "console": reverse("admin:matches_match_change", args=[match.pk]) if user.is_staff else "",
            "is_set_aside": bool(match.fault),
        }
        for match in match_queries.hosted_by(user)
    ]


def _mine(request: HttpRequest) -> list[dict[str, Any]]:
    if not request.user.is_authenticated:
        return []
    return [_my_card(each) for each in match_queries.my_matches(request.user)]


def _my_card(mine: MyMatch) -> dict[str, Any]:
    shown = MatchContext(mine.position, clock.now())
    private = mine.position.private_of(mine.player)
    asked = [{"text": ask.text, "until": shown.times.instant(ask.until)} for ask in mine.asked]
    return {
        "shown": shown,
        "me": mine.player.handle,
        "asked": asked,
        "if_idle": private.if_idle if private and mine.match.status == Match.Status.OPEN else "",
        "glance": rendering.summary(mine.position, shown.now),
    }
