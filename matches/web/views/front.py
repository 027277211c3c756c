"""The front page, the lists of matches, and the pages of match types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import Match, clock
from matches.pages import extensions, rendering, styles
from matches.pages.ahead import example_board
from matches.pages.context import MatchContext
from matches.pages.fragments import template_of
from matches.queries import announcements, lists
from matches.queries.access import legible
from matches.queries.lists import MyMatch
from matches.queries.match_info import page_info_of
from matches.queries.matches import Position
from matches.queries.paging import count_up_to, first_of
from matches.services.roles import hosted_by
from matches.web import spoilers
from matches.web.match_page import leaf
from matches.web.spoilers import tells_result

_ASKING, _TABLES, _RUNNING, _FINISHED = 5, 6, 6, 3
_A_PAGE = 24
_MINE = 20
_MOST_COUNTED = 100
_LONGEST_ID = 32


class Card(NamedTuple):
    """A match in a list. `glance`: its match type's summary as HTML; `me`: the viewer's position among its players,
    None for those who do not play in it; `hosts`: their usernames; `is_hidden`: the viewer wants to be asked
    before they see who has won."""

    shown: MatchContext
    glance: str
    me: int | None
    hosts: tuple[str, ...]
    is_hidden: bool = False


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is or asks of me, where there is a place to take, what is being played, what has been played."""
    user = request.user
    tables = first_of(lists.with_people(lists.open_tables(user)), _TABLES)
    coming = [] if tables else lists.coming_matches(_TABLES)
    finished = first_of(lists.with_people(lists.finished_matches()), _FINISHED)
    mine = lists.my_open_matches(user, _MINE) if user.is_authenticated else []
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
    if not user.is_authenticated:  # one is played at once, on this page
        played, *others = context["games"]
        context |= {"played": played, "scripts": styles.scripts_of_game(played.slug), "others": others}
    return render(request, "matches/home.html", context)


def cards_of(matches: Iterable[Match], request: HttpRequest) -> list[Card]:
    """These matches, for a list that this viewer looks at."""
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
    """All public matches, by state and by game; an unknown filter is ignored."""
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


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """My matches that are not over: first those that ask something of me, and until when; or one group (`only`), which
    may be those that are over, a page at a time."""
    user = request.user
    mine = lists.my_open_matches(user, _MINE)
    groups = _in_groups(my_rows(user, mine))
    only = request.GET.get("only", "")
    context: dict[str, Any] = {"tabs": _tabs_of(groups, only), "now": clock.now()}
    if only == _OVER:
        page, place = leaf(request, lambda after: lists.my_page(user, after, _MINE, over=True))
        context |= place | {"is_over": True, "over": my_rows(user, page.items)}
        return render(request, "matches/mine.html", context)
    context |= {
        "mine": {key: group for key, group in groups.items() if key == only or only not in groups},
        "is_cut": len(mine) == _MINE,
        "most": _MINE,
        "beside": extensions.mine_of(user),
        "has_played": lists.all_my_matches(user).exists(),
        "hosted": _all_hosted(lists.open_hosted(user, _MINE), user),
        "has_hosted": hosted_by(user).exists(),
    }
    return render(request, "matches/mine.html", context)


@login_required
@require_safe
def next_of_mine(request: HttpRequest) -> HttpResponse:
    """On to the match that asks me for something soonest, but for the one that I come from (`after`); else to the list
    of mine, which says that none does."""
    left = request.GET.get("after", "")[:_LONGEST_ID]
    asking = [each for each in lists.my_open_matches(request.user, _MINE) if each.asked]
    asking.sort(key=lambda each: not any(ask.is_decision for ask in each.asked))
    found = next((each.match.public_id for each in asking if each.match.public_id != left), None)
    if found is None:
        messages.info(request, "No other match needs you now." if left else "No match needs you now.")
        return redirect("matches:mine")
    return redirect(f"{reverse('matches:match', args=[found])}#act")


@login_required
@require_safe
def all_mine(request: HttpRequest) -> HttpResponse:
    """Every match that I have ever joined, the last one first."""
    page, place = leaf(request, lambda after: lists.my_page(request.user, after, _MINE))
    context = {
        "mine": my_rows(request.user, page.items),
        "count": count_up_to(lists.all_my_matches(request.user), _MOST_COUNTED),
        "most_counted": _MOST_COUNTED,
        "now": clock.now(),
    }
    return render(request, "matches/all_mine.html", context | place)


@login_required
@require_safe
def hosted(request: HttpRequest) -> HttpResponse:
    """Every match that I host, the last one first."""
    page, place = leaf(request, lambda after: lists.hosted_page(request.user, after, _A_PAGE))
    context = {
        "hosted": _all_hosted(page.items, request.user),
        "count": count_up_to(hosted_by(request.user), _MOST_COUNTED),
        "most_counted": _MOST_COUNTED,
        "now": clock.now(),
    }
    return render(request, "matches/all_hosted.html", context | place)


def _all_hosted(matches: list[Match], user: Any) -> list[dict[str, Any]]:
    waiting = announcements.open_questions_in(matches)
    return [_hosted(match, user, waiting.get(match.pk, 0)) for match in matches]


def _hosted(match: Match, user: Any, questions: int) -> dict[str, Any]:
    """A match that a person hosts. `console`: its page there, for those who may sign in to it; `is_set_aside`: a
    fault; `questions`: how many of players wait for an answer."""
    return {
        "questions": questions,
        "match": page_info_of(match),
        "console": reverse("admin:matches_match_change", args=[match.pk]) if user.is_staff else "",
        "is_set_aside": bool(match.fault),
    }


def _asking(mine: MyMatch, position: Position) -> dict[str, Any]:
    shown = MatchContext(position, clock.now())
    people = shown.people  # now: what cannot be read fails here, and not in the middle of a page
    asked = [
        {"text": ask.text, "until": shown.times.instant(ask.until), "is_decision": ask.is_decision}
        for ask in mine.asked
    ]
    is_due = any(ask.is_decision for ask in mine.asked)
    result = position.public.end_of(mine.player.handle) if position.outcome and position.public else ""
    return {"shown": shown, "people": people, "asked": asked, "is_due": is_due, "result": result}


def my_rows(user: Any, mine: Sequence[MyMatch]) -> list[dict[str, Any]]:
    """A person's matches, a line for each: what is asked in it (`is_due`: a decision that they must make), and what
    other apps say of it."""
    lines = extensions.lines_in(user, [each.match for each in mine])
    rows = [legible(each.match, partial(_asking, each), each.position) for each in mine]
    return [row | {"lines": lines[each.match.pk]} for row, each in zip(rows, mine, strict=True)]


def _tabs_of(groups: Mapping[str, Group], only: str) -> list[dict[str, Any]]:
    """All that go on, each group, and what is over."""
    own = reverse("matches:mine")
    texts = {key: f"{group.title} ({len(group.rows)})" for key, group in groups.items()} | {_OVER: "Over"}
    tabs = [{"href": f"{own}?only={key}", "text": text, "current": key == only} for key, text in texts.items()]
    return [{"href": own, "text": "All current", "current": only not in texts}, *tabs]


class Group(NamedTuple):
    """Some of a person's matches, and what they have in common."""

    title: str
    rows: list[dict[str, Any]]


def _in_groups(rows: Sequence[dict[str, Any]]) -> dict[str, Group]:
    """What one must decide, where one may move, and the rest, as far as there is any."""
    groups = {each: Group(title, []) for each, title in _TITLES.items()}
    for row in rows:
        groups["decide" if row["is_due"] else "move" if row["asked"] else "waiting"].rows.append(row)
    return {key: group for key, group in groups.items() if group.rows}


_TITLES = {"decide": "You must decide", "move": "You may move", "waiting": "Waiting"}
_OVER = "over"


# -- games -----------------------------------------------------------------------------------------------
# The match types that can be played: a list, and a page with the rules of each.


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
        "example": example_board(slug),
        "tables": cards_of(first_of(tables, 3), request),
        "cards": cards_of(lists.running_matches(6, game=slug), request),
        "now": clock.now(),
    }
    return render(request, "matches/game.html", context)


def _game_of(slug: str) -> AnyGame:
    try:
        return game_of(slug)
    except UnknownGame:
        raise Http404("no such game") from None
