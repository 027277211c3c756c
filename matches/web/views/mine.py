"""Views of a person's own matches: those that they play in and those that they host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches.models import Match, clock
from matches.pages import extensions
from matches.pages.context import MatchContext
from matches.queries import announcements, lists
from matches.queries.access import legible
from matches.queries.lists import MyMatch
from matches.queries.match_info import page_info_of
from matches.queries.matches import Position
from matches.queries.paging import count_up_to
from matches.services.roles import hosted_by
from matches.web.match_page import leaf

MOST_SHOWN = 20
"""The most matches of one person on a page."""

_A_PAGE = 24
_MOST_COUNTED = 100
_LONGEST_ID = 32

_TITLES = {"decide": "You must decide", "move": "You may move", "waiting": "Waiting"}
_OVER = "over"


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Show one's own matches that are not over, first those that need something, with the deadline; or one group
    (`?only=`), which may be those that are over, a page at a time."""
    user = request.user
    mine = lists.my_open_matches(user, MOST_SHOWN)
    groups = _in_groups(my_rows(user, mine))
    only = request.GET.get("only", "")
    context: dict[str, Any] = {"tabs": _tabs_of(groups, only), "now": clock.now()}
    if only == _OVER:
        page, place = leaf(request, lambda after: lists.my_page(user, after, MOST_SHOWN, over=True))
        context |= place | {"is_over": True, "over": my_rows(user, page.items)}
        return render(request, "matches/mine.html", context)
    context |= {
        "mine": {key: group for key, group in groups.items() if key == only or only not in groups},
        "is_cut": len(mine) == MOST_SHOWN,
        "most": MOST_SHOWN,
        "beside": extensions.mine_of(user),
        "has_played": lists.all_my_matches(user).exists(),
        "hosted": _all_hosted(lists.open_hosted(user, MOST_SHOWN), user),
        "has_hosted": hosted_by(user).exists(),
    }
    return render(request, "matches/mine.html", context)


@login_required
@require_safe
def next_of_mine(request: HttpRequest) -> HttpResponse:
    """Go to the match that needs the person soonest, except the one that they come from (`?after=`). If there is none,
    go to the list of one's own matches, which says so."""
    left = request.GET.get("after", "")[:_LONGEST_ID]
    asking = [each for each in lists.my_open_matches(request.user, MOST_SHOWN) if each.asked]
    asking.sort(key=lambda each: not any(ask.is_due for ask in each.asked))
    found = next((each.match.public_id for each in asking if each.match.public_id != left), None)
    if found is None:
        messages.info(request, "No other match needs you now." if left else "No match needs you now.")
        return redirect("matches:mine")
    return redirect(f"{reverse('matches:match', args=[found])}#act")


@login_required
@require_safe
def all_mine(request: HttpRequest) -> HttpResponse:
    """List every match that the person has ever joined, latest first."""
    page, place = leaf(request, lambda after: lists.my_page(request.user, after, MOST_SHOWN))
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
    """List every match that the person hosts, latest first."""
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
    """A match that a person hosts. `console`: its page in the console, for people who may sign in there;
    `is_set_aside`: whether it has a fault; `questions`: how many of its players' questions have no answer."""
    return {
        "questions": questions,
        "match": page_info_of(match),
        "console": reverse("admin:matches_match_change", args=[match.pk]) if user.is_staff else "",
        "is_set_aside": bool(match.fault),
    }


def _asking(mine: MyMatch, position: Position) -> dict[str, Any]:
    shown = MatchContext(position, clock.now())
    people = shown.people  # computed now, so that what cannot be read fails here and not in the middle of a page
    asked = [{"text": ask.what, "until": shown.times.instant(ask.until)} for ask in mine.asked]
    is_due = any(ask.is_due for ask in mine.asked)
    result = position.public.end_of(mine.player.handle) if position.outcome and position.public else ""
    said = {"asked": asked, "is_due": is_due, "can_always": mine.can_always, "result": result}
    return {"shown": shown, "people": people, **said}


def my_rows(user: Any, mine: Sequence[MyMatch]) -> list[dict[str, Any]]:
    """Return a line for each of a person's matches: what is asked in it (`is_due`: something that they must do), and
    what other apps add."""
    lines = extensions.lines_in(user, [each.match for each in mine])
    rows = [legible(each.match, partial(_asking, each), each.position) for each in mine]
    return [row | {"lines": lines[each.match.pk]} for row, each in zip(rows, mine, strict=True)]


def _tabs_of(groups: Mapping[str, Group], only: str) -> list[dict[str, Any]]:
    """Tabs for all current matches, each group, and what is over."""
    own = reverse("matches:mine")
    texts = {key: f"{group.title} ({len(group.rows)})" for key, group in groups.items()} | {_OVER: "Over"}
    tabs = [{"href": f"{own}?only={key}", "text": text, "current": key == only} for key, text in texts.items()]
    return [{"href": own, "text": "All current", "current": only not in texts}, *tabs]


class Group(NamedTuple):
    """Some of a person's matches, with a title that says what they have in common."""

    title: str
    rows: list[dict[str, Any]]


def _in_groups(rows: Sequence[dict[str, Any]]) -> dict[str, Group]:
    """Matches in which one must decide, those in which one may move, and the rest; without empty groups."""
    groups = {each: Group(title, []) for each, title in _TITLES.items()}
    for row in rows:
        may_move = row["asked"] or row["can_always"]
        groups["decide" if row["is_due"] else "move" if may_move else "waiting"].rows.append(row)
    return {key: group for key, group in groups.items() if group.rows}
