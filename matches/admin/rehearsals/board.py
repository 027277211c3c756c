"""The board of a rehearsal, at any moment of it: it can be watched a thousand times as fast, and event by event.

Everything is made again from the moves that are kept. The page shows the times as they would be in the match itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode

import structlog
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string

from matches.admin import formats
from matches.admin.rehearsals.hours import instant_of
from matches.admin.rehearsals.pages import rehearsal_of
from matches.engine.bot_match import replayed
from matches.engine.match_time import seconds
from matches.engine.rehearsal_report import Report
from matches.engine.step import EVERYONE, Announcement
from matches.engine.views import MatchTime
from matches.infra.kept import Kept
from matches.models import Match, Player, Rehearsal, clock
from matches.pages.context import MatchContext, People, Person
from matches.pages.durations import in_real_words
from matches.pages.rendering import panel_of, table_parts
from matches.pages.staged import staged
from matches.queries.bidirectional import set_apart
from matches.queries.matches import Position
from matches.services.rehearsals import Setup, clock_in, report_in, setup_in

logger = structlog.get_logger(__name__)

SPEED = 1000
"""How much faster than in the match the time runs for those who watch."""

_NEWS = 12
_TIME = re.compile(r"\d{1,9}(?:\.\d{1,6})?", re.ASCII)


class _Frame(NamedTuple):
    """The position from a match time on, and what everybody was told then."""

    at: MatchTime
    state: Any
    told: tuple[Announcement, ...]


_films: Kept[str, list[_Frame]] = Kept(4)
"""By seed: ids of rows may come again."""


def show(request: HttpRequest, match: Match, number: int) -> HttpResponse:
    """The board at match time `?at=` (seconds), as everybody would see it, or with the panel of the player `?as=`.

    With `?play=1` the page goes on by itself; with `?parts=1` it answers with the parts alone, as JSON.
    """
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    rehearsal = rehearsal_of(match, number)
    report = report_in(rehearsal)
    if report is None:
        raise Http404
    if rehearsal.rules_version != match.rules.rules_version:
        messages.error(request, "The site has other rules for this game now, so this rehearsal cannot be watched.")
        return redirect("admin:matches_match_rehearsal", match.pk, number)
    try:
        view = _View(match, rehearsal, report, request)
        if "parts" in request.GET:
            return JsonResponse({"at": view.at, "now": view.now.isoformat(), "parts": view.parts(request)})
        context = {"parts": view.parts(request), **view.context(), "is_playing": "play" in request.GET}
    except Exception:  # whatever a game's rules or templates raise, hosts get an answer
        logger.exception("rehearsal_illegible", rehearsal=rehearsal.pk)
        messages.error(request, "The rules cannot show this rehearsal. The fault is in the site's log.")
        return redirect("admin:matches_match_rehearsal", match.pk, number)
    return render(request, "admin/matches/match/rehearsal_board.html", context)


class _View:
    """One look at a rehearsal: which moment, and whose panel."""

    def __init__(self, match: Match, rehearsal: Rehearsal, report: Report, request: HttpRequest) -> None:
        self._match, self._rehearsal, self._report = match, rehearsal, report
        self._setup = setup_in(rehearsal)
        self._frames = _film(match, rehearsal, self._setup, report)
        self._moments = [frame.at for frame in self._frames]
        self.at = _moment(request.GET.get("at", ""), report.played.length)
        self._times = clock_in(rehearsal)
        self.now: datetime = instant_of(self._times, self.at)
        handles = [player.handle for player in self._setup.players]
        self._who = request.GET.get("as", "") if request.GET.get("as") in handles else ""
        self._frame = self._frames[bisect_right(self._moments, self.at) - 1]

    def context(self) -> dict[str, Any]:
        """What the page has beside its parts."""
        return {
            "match_id": self._match.pk,
            "match_title": self._match.title,
            "game_title": self._match.rules.title,
            "game": self._match.game,
            "number": self._rehearsal.pk,
            "at": self.at,
            "length": self._report.played.length,
            "speed": SPEED,
            "server_now": self.now,
            "who": self._who,
            "players": self._setup.players,
            "address": "?" + urlencode({"as": self._who}) if self._who else "?",
        }

    def parts(self, request: HttpRequest) -> dict[str, str]:
        """The parts of the page that change with time, by name."""
        with clock.fixed(self.now):
            time = timedelta(seconds=self.at)
            scene = staged(self._match, self._frame.state, time, self.now, self._rehearsal.seed, self._times.shift)
            position = Position(scene)
            shown = MatchContext(position, self.now, self._people())
            own = panel_of(position, shown, Player(handle=self._who)) if self._who else ""
            bar = render_to_string("admin/matches/match/rehearsal_bar.html", self._bar(), request)
            news = render_to_string("admin/matches/match/rehearsal_news.html", {"lines": self._news()}, request)
            return {**table_parts(position, shown), "panel": own, "bar": bar, "news": news}

    def _people(self) -> People:
        return People(
            Person(
                player.handle, player.name, index, player.team, player.played_by == "bot", player.played_by == "open"
            )
            for index, player in enumerate(self._setup.players)
        )

    def _bar(self) -> dict[str, Any]:
        """The moment, and links to others."""
        index, end = bisect_left(self._moments, self.at), self._report.played.length
        after = bisect_right(self._moments, self.at)
        return {
            "moment": formats.instant(self.now),
            "after": in_real_words(self.at, self._setup.speed) if self.at else "",
            "is_over": self.at >= end,
            "first": self._href(0) if self.at else "",
            "previous": self._href(self._moments[index - 1]) if index else "",
            "next": self._href(self._moments[after]) if after < len(self._moments) else "",
            "last": self._href(end) if self.at < end else "",
        }

    def _href(self, at: MatchTime) -> str:
        return "?" + urlencode({"at": at, **({"as": self._who} if self._who else {})})

    def _news(self) -> list[tuple[str, str]]:
        """The latest that everybody was told by then: when, and in words; newest first."""
        names = {player.handle: set_apart(player.name) for player in self._setup.players}
        lines = []
        for frame in reversed(self._frames[: bisect_right(self._moments, self.at)]):
            at = instant_of(self._times, frame.at)
            for item in reversed(frame.told):
                text = self._match.rules.describe(item, lambda handle: names.get(handle, handle))
                lines.append((formats.instant(at), text))
            if len(lines) >= _NEWS:
                break
        return lines[:_NEWS]


def _film(match: Match, rehearsal: Rehearsal, setup: Setup, report: Report) -> Sequence[_Frame]:
    """All positions of the rehearsal, in order; of those at the same match time only the last one is ever seen."""
    if (known := _films.get(rehearsal.seed)) is not None:
        return known
    game, frames = match.rules, list[_Frame]()
    seed = bytes.fromhex(rehearsal.seed)
    for event in replayed(game, game.read_config(setup.config), setup.roster, seed, report.played.moves):
        if event.step is None:
            continue
        told = tuple(item for item in event.step.announcements if item.audience == EVERYONE)
        if frames and frames[-1].at == seconds(event.at):
            told = (*frames.pop().told, *told)
        frames.append(_Frame(seconds(event.at), event.step.state, told))
    _films.keep(rehearsal.seed, frames)
    return frames


def _moment(text: str, length: MatchTime) -> MatchTime:
    """A typed match time, not after the end; 0 if it is none."""
    if not _TIME.fullmatch(text):
        return 0
    return min(float(text) if "." in text else int(text), length)
