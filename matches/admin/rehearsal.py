"""The rehearsal of a match in the console: the form that asks for one, its progress, and its report in words."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from statistics import median
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import HttpResponseClientRefresh

from matches.admin import formats
from matches.admin.commands.base import BEFORE, one_time_key
from matches.admin.commands.publishing import PublishForm
from matches.engine.actions import DECISIONS
from matches.engine.rehearsal import Deadline, Played, Report
from matches.engine.sentences import counted, joined
from matches.engine.views import MatchTime
from matches.models import Match, Rehearsal
from matches.models.clock import MatchClock
from matches.pages.texts import in_real_words
from matches.services.commands import is_host
from matches.services.errors import Refused
from matches.services.rehearsals import ONLY_BEFORE, Setup, ask, clock_in, report_in, setup_in


class RehearseForm(PublishForm):
    """The start from which deadlines are counted, by default the planned one."""

    open_places = None  # type: ignore[assignment]  # stand-ins play in them


def show(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """Show the form, and the latest rehearsal or its progress; a POST asks for another one. `?state=1` tells a waiting
    page to reload once it is done."""
    may = match.status in BEFORE and is_host(match, request.user)
    sent = request.method == "POST"
    if sent and not may:
        messages.error(request, ONLY_BEFORE)
        return redirect("admin:matches_match_change", match.pk)
    latest = match.rehearsals.select_related("host", "match").first()
    if "state" in request.GET:
        waits = latest is not None and latest.is_waiting
        return HttpResponse(status=204) if waits else HttpResponseClientRefresh()
    form = RehearseForm(match, request.user, request.POST if sent else None) if may else None
    if sent and form is not None and form.is_valid():
        try:
            ask(match, request.user, form.cleaned_data["starts_at"], key=one_time_key(request))
        except Refused as refusal:
            form.add_error(None, refusal.message)
        else:
            return redirect("admin:matches_match_rehearsals", match.pk)
    report = None if latest is None else report_in(latest)
    context = {
        **model_admin.page(request, "Rehearsal", match),
        "form": form,
        "key": secrets.token_urlsafe(12),
        "rehearsal": latest,
        "made": latest and formats.local(latest.made_at),
        "report": None if latest is None or report is None else ReportPage(latest, report),
    }
    return render(request, "admin/matches/match/rehearsal.html", context)


class Due(NamedTuple):
    """A deadline in words. `is_sure`: it came then in all matches, whatever bots did."""

    what: str
    after: str
    moment: str
    is_sure: bool


def instant_of(times: MatchClock, at: MatchTime) -> datetime:
    """Return when a match time comes by a running clock."""
    instant = times.instant(timedelta(seconds=at))
    if instant is None:
        raise TypeError("the clock of a rehearsal never stands still")
    return instant


def dues(deadlines: Iterable[Deadline], fixed: Iterable[MatchTime], *, times: MatchClock) -> list[Due]:
    """Return the deadlines in words, in order. `times` maps match time to instants."""
    sure = set(fixed)
    return [
        Due(
            f"{deadline.where}: {deadline.does}" if deadline.does else deadline.where,
            in_real_words(deadline.at, times.speed),
            formats.instant(instant_of(times, deadline.at)),
            deadline.at in sure,
        )
        for deadline in deadlines
    ]


class Line(NamedTuple):
    """A player of the rehearsal: the place in the list, what they did in the match that is described, and in how many
    of all matches they won and were Elimination Candidate."""

    place: int
    name: str
    team: str
    played_by: str
    did: str
    won: int
    candidate: int


class ReportPage:
    """Everything on the page of a finished rehearsal."""

    def __init__(self, rehearsal: Rehearsal, report: Report) -> None:
        self._game, self._report = rehearsal.match.rules, report
        self._setup: Setup = setup_in(rehearsal)
        self._names = {player.handle: player.name for player in self._setup.players}
        self._times = clock_in(rehearsal)
        self.begins = formats.instant(rehearsal.begins_at)
        self.count = len(report.endings)

    def _name(self, handle: str) -> str:
        return self._names.get(handle, handle)

    def _named(self, handles: Any) -> str:
        return joined(self._name(handle) for handle in handles)

    def _takes(self, length: MatchTime | None) -> str:
        return "" if length is None else in_real_words(length, self._setup.speed)

    def _moment(self, at: MatchTime) -> str:
        return formats.instant(instant_of(self._times, at))

    # -- how long, and when ----------------------------------------------------------------------

    @property
    def length(self) -> str:
        return self._takes(self._report.played.length)

    @property
    def ends(self) -> str:
        return self._moment(self._report.played.length)

    @property
    def lengths(self) -> str:
        """How long all of the matches took, in a sentence; empty if there was only one."""
        found = sorted(ending.length for ending in self._report.endings)
        if len(found) < 2:
            return ""
        if found[0] == found[-1]:
            return f"All {len(found)} matches took the same time."
        shortest, longest = self._takes(found[0]), self._takes(found[-1])
        return f"{len(found)} matches took {shortest} to {longest}, with a median of {self._takes(median(found))}."

    @property
    def idle_length(self) -> str:
        """How long it takes if nobody acts; empty if it would not end."""
        return self._takes(self._report.idle_length)

    @property
    def dues(self) -> list[Due]:
        return dues(self._report.played.deadlines, self._report.fixed, times=self._times)

    # -- who, and what -----------------------------------------------------------------------------

    @property
    def result(self) -> str:
        played = self._report.played
        said = f"{self._named(played.winners)} won." if played.winners else "Nobody won."
        if played.candidates:
            role = "Elimination Candidate" + ("s" if len(played.candidates) > 1 else "")
            said += f" {role}: {self._named(played.candidates)}."
        return said

    @property
    def players(self) -> list[Line]:
        won = Counter(handle for ending in self._report.endings for handle in ending.winners)
        lost = Counter(handle for ending in self._report.endings for handle in ending.candidates)
        played: Played = self._report.played
        lines = []
        for place, player in enumerate(self._setup.players, start=1):
            done = played.done.get(player.handle, {})
            did = ", ".join(f"{action_words(kind)}: {count}" for kind, count in done.items()) or "nothing"
            team = player.team or played.teams.get(player.handle, "")
            lines.append(Line(place, player.name, team, player.played_by, did, won[player.handle], lost[player.handle]))
        return lines

    @property
    def teams(self) -> list[str]:
        """How often each team had a winner, one sentence each; empty in games without teams."""
        won: dict[str, int] = dict.fromkeys(self._game.teams, 0)
        teams = self._report.played.teams
        for ending in self._report.endings:
            for team in {teams.get(handle, "") for handle in ending.winners} & set(won):
                won[team] += 1
        return [f"{team}: winners in {count} of {self.count}" for team, count in won.items()]

    @property
    def without_winner(self) -> int:
        return sum(not ending.winners for ending in self._report.endings)

    @property
    def shared(self) -> int:
        """In how many matches several players won."""
        return sum(len(ending.winners) > 1 for ending in self._report.endings)

    # -- what to look at ---------------------------------------------------------------------------

    @property
    def stuck(self) -> list[str]:
        """Who could do nothing in a part of the match, and why."""
        found = defaultdict[tuple[str, str], list[str]](list)
        for each in self._report.played.stuck:
            found[each.player, each.refusal].append(each.where)
        return [f"{self._name(who)} in {joined(where)}: {why}" for (who, why), where in found.items()]

    @property
    def often_stuck(self) -> str:
        """In how many of all matches somebody could do nothing; empty if in none."""
        if count := sum(bool(ending.stuck) for ending in self._report.endings):
            of = counted(self.count, "match", "matches")
            return f"In {count} of {of}, somebody could do nothing for a whole part of the match."
        return ""

    @property
    def unused_actions(self) -> list[str]:
        return [action_words(kind) for kind in self._report.unused_actions]


def action_words(kind: str) -> str:
    """Return a type of action in words."""
    return DECISIONS.get(kind, kind.replace("_", " "))
