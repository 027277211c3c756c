"""The match types that can be played: a list, and a page with the rules of each."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import clock
from matches.pages.fragments import template_of
from matches.queries import lists
from matches.queries import statistics as counted
from matches.queries.paging import first_of
from matches.web.spoilers import hides_results
from matches.web.views.front import cards_of


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """All match types."""
    return render(request, "matches/games.html", {"games": list(all_games().values())})


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """One match type: its rules with the usual numbers, and its open and running matches."""
    found = _game_of(slug)
    tables = lists.with_people(lists.open_tables(request.user).filter(game=slug))
    context = {
        "game": found,
        "config": found.read_config({}),
        "rules_template": template_of(slug, "rules"),
        "tables": cards_of(first_of(tables, 3), request),
        "cards": cards_of(lists.running_matches(6, game=slug), request),
        "now": clock.now(),
    }
    return render(request, "matches/game.html", context)


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """What was counted over the finished matches of a type; of few matches that tells how they ended, so it asks first
    those who hide results."""
    found = _game_of(slug)
    asks = hides_results(request) and request.GET.get("results") != "show"
    groups = () if asks else counted.of_game(slug)
    context = {"game": found, "groups": groups, "most": counted.MOST_MATCHES, "are_hidden": asks}
    return render(request, "matches/statistics.html", context)


def _game_of(slug: str) -> AnyGame:
    try:
        return game_of(slug)
    except UnknownGame:
        raise Http404("no such game") from None
