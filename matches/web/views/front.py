"""Views of the front page, the lists of matches, and the pages of match types."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import Match, clock
from matches.pages import rendering, styles
from matches.pages.ahead import example_board
from matches.pages.context import MatchContext
from matches.pages.fragments import template_of
from matches.queries import announcements, lists
from matches.queries.access import legible
from matches.queries.matches import Position
from matches.queries.paging import first_of
from matches.web import spoilers
from matches.web.match_page import leaf
from matches.web.spoilers import tells_result
from matches.web.views.mine import MOST_SHOWN, my_rows

_ASKING, _TABLES, _RUNNING, _FINISHED = 5, 6, 6, 3
_A_PAGE = 24


class Card(NamedTuple):
    """A match in a list. `glance`: its match type's summary as HTML; `me`: the viewer's position among its players,
    None for others; `hosts`: their usernames; `is_hidden`: the viewer wants to be asked before they see who has won."""

    shown: MatchContext
    glance: str
    me: int | None
    hosts: tuple[str, ...]
    is_hidden: bool = False


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what needs the viewer, where to take a place, and what is running or finished; explain the site to
    visitors."""
    user = request.user
    tables = lists.tables_to_join(user, _TABLES)
    coming = [] if tables else lists.coming_matches(_TABLES)
    finished = first_of(lists.with_people(lists.finished_matches()), _FINISHED)
    mine = lists.my_open_matches(user, MOST_SHOWN) if user.is_authenticated else []
    asking = [each for each in mine if each.asked]
    context: dict[str, Any] = {
        "tables": cards_of(tables, request),
        "running": cards_of(lists.running_matches(_RUNNING), request),
        "coming": cards_of(coming, request),
        "finished": cards_of(finished, request),
        "asking": my_rows(user, asking[:_ASKING]),
        "more_ask": len(asking) > _ASKING,
        "games": list(all_games().values()),
        "now": clock.now(),
    }
    if not user.is_authenticated:  # visitors can play one at once, on this page
        played, *others = context["games"]
        context |= {"played": played, "scripts": styles.scripts_for_match(played.slug), "others": others}
    return render(request, "matches/home.html", context)


def cards_of(matches: Iterable[Match], request: HttpRequest) -> list[Card]:
    """Return cards of these matches for a list that this viewer sees."""
    now = clock.now()
    return [legible(match, partial(_card, match, request, now)) for match in matches]


def _card(match: Match, request: HttpRequest, now: datetime, position: Position) -> Card:
    user = request.user
    places = enumerate(match.players.all())
    me = next((place for place, player in places if user.is_authenticated and player.user_id == user.pk), None)
    is_hidden = me is None and tells_result(position.public) and spoilers.is_hidden(request, match.public_id)
    glance = "" if is_hidden else rendering.summary(position, now)
    return Card(MatchContext(position, now), glance, me, announcements.hosts_of(match), is_hidden)


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """List all public matches, by state and by game; ignores an unknown filter."""
    state, game = request.GET.get("state", ""), request.GET.get("game", "")
    state, game = state if state in lists.STATES else "", game if game in all_games() else ""
    page, place = leaf(request, lambda after: lists.public_page(state, game, after, _A_PAGE))
    context = {
        "cards": cards_of(page.items, request),
        "state": state,
        "game": game,
        "states": [("", "All"), ("running", "Running"), ("coming", "Upcoming"), ("finished", "Finished")],
        "games": list(all_games().values()),
        "now": clock.now(),
    }
    return render(request, "matches/list.html", context | place)


# -- games -----------------------------------------------------------------------------------------------
# The match types that can be played: a list, and a page with the rules of each.


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """List all match types."""
    return render(request, "matches/games.html", {"games": list(all_games().values())})


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one match type: its rules with the usual numbers, and its open and running matches."""
    found = _game_of(slug)
    context = {
        "game": found,
        "config": found.read_config({}),
        "rules_template": template_of(slug, "rules"),
        "example": example_board(slug),
        "tables": cards_of(lists.tables_to_join(request.user, 3, game=slug), request),
        "cards": cards_of(lists.running_matches(6, game=slug), request),
        "now": clock.now(),
    }
    return render(request, "matches/game.html", context)


def _game_of(slug: str) -> AnyGame:
    try:
        return game_of(slug)
    except UnknownGame:
        raise Http404("no such game") from None
