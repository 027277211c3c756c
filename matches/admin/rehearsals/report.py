"""The report of a rehearsal in plain words, for its page."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median
from typing import Any, NamedTuple

from matches.admin import formats
from matches.admin.rehearsals.hours import Due, dues, instant_of
from matches.engine.actions import DECISIONS
from matches.engine.game import AnyGame
from matches.engine.rehearsal import Played
from matches.engine.rehearsal_report import Report
from matches.engine.sentences import asset_unit, counted, joined
from matches.engine.views import MatchTime
from matches.models import Match, Rehearsal
from matches.pages.durations import in_real_words
from matches.services.rehearsals import Changes, Setup, changes_since, clock_in, setup_in


class Line(NamedTuple):
    """A player of the rehearsal: their place in the list, what they did in the match that is told of, and in how
    many of all matches they won and were Elimination Candidate."""

    place: int
    name: str
    team: str
    played_by: str
    did: str
    won: int
    candidate: int


class ReportPage:
    """Everything on the page of a rehearsal that has been played."""

    def __init__(self, rehearsal: Rehearsal, match: Match, report: Report) -> None:
        self._match, self._game, self._report = match, match.rules, report
        self._setup: Setup = setup_in(rehearsal)
        self._names = {player.handle: player.name for player in self._setup.players}
        self._times = clock_in(rehearsal)
        self.changes = change_sentences(changes_since(rehearsal, match), self._game)
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
            return f"All {len(found)} matches took that long."
        shortest, longest = self._takes(found[0]), self._takes(found[-1])
        return (
            f"{len(found)} matches took between {shortest} and {longest}; the median is {self._takes(median(found))}."
        )

    @property
    def idle_length(self) -> str:
        """How long it takes if nobody does anything; empty if it would not end."""
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
        """How often each team had a winner, a sentence each; nothing in games without teams."""
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
        for idle in self._report.played.idle:
            if idle.refusal:
                found[idle.player, idle.refusal].append(idle.where)
        return [f"{self._name(who)} in {joined(where)}: {why}" for (who, why), where in found.items()]

    @property
    def waited(self) -> list[str]:
        """Who did nothing in a part of the match though something was possible."""
        found = defaultdict[str, list[str]](list)
        for idle in self._report.played.idle:
            if not idle.refusal:
                found[idle.player].append(idle.where)
        return [f"{self._name(who)} in {joined(where)}" for who, where in found.items()]

    @property
    def ran_out(self) -> list[str]:
        return [
            f"{self._name(each.player)} had no {asset_unit(each.asset)} left to spend "
            f"from {self._moment(each.at)} ({each.where})"
            for each in self._report.played.ran_out
        ]

    @property
    def quiet(self) -> tuple[str, ...]:
        return self._report.played.quiet

    @property
    def often(self) -> list[str]:
        """In how many of all matches somebody could do nothing, or had nothing left, a sentence each."""
        stuck = sum(bool(ending.stuck) for ending in self._report.endings)
        empty = sum(bool(ending.ran_out) for ending in self._report.endings)
        said = (
            (stuck, "somebody could do nothing in a whole part of it"),
            (empty, "somebody had nothing left to spend before its last part"),
        )
        return [f"In {count} of {counted(self.count, 'match', 'matches')} {what}." for count, what in said if count]

    @property
    def refusals(self) -> list[str]:
        return [
            f"{self._name(each.player)}, {action_words(each.action)}"
            f"{f' ({each.count} times)' if each.count > 1 else ''}: {each.message}"
            for each in self._report.played.refusals
        ]

    @property
    def unused_actions(self) -> list[str]:
        return [action_words(kind) for kind in self._report.unused_actions]

    @property
    def unheard(self) -> list[str]:
        return [kind.replace("_", " ") for kind in self._report.unheard_kinds]

    @property
    def without_effect(self) -> list[str]:
        """The settings that changed nothing, by their labels."""
        return setting_labels(self._game, self._report.without_effect or ())


def action_words(kind: str) -> str:
    """An action, by type, in words."""
    return DECISIONS.get(kind, kind.replace("_", " "))


def setting_labels(game: AnyGame, keys: tuple[str, ...]) -> list[str]:
    """Settings as their form calls them."""
    labels = {setting.key: setting.label for setting in game.settings}
    return [labels.get(key, key) for key in keys]


def change_sentences(changes: Changes, game: AnyGame) -> list[str]:
    """What has changed in the match since it was rehearsed, a sentence each."""
    said = []
    if changes.settings:
        said.append(f"Settings have changed: {joined(setting_labels(game, changes.settings))}.")
    if changes.players:
        said.append("The list of players has changed.")
    if changes.start:
        said.append("The match begins at another time.")
    if changes.hour:
        said.append("The usual hour has changed.")
    if changes.rules:
        said.append("The site has other rules for this game now.")
    return said
