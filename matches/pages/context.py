"""The template context of a match: its public facts, its people, and its times in UTC.

Templates get neither models nor states, so what is not listed here cannot be shown by mistake.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from matches.models import Match
from matches.queries.match_info import MatchInfo, info_of
from matches.queries.matches import Position

_numbers: dict[Hashable, int] = {}
_next_number = itertools.count()
_MOST_NUMBERS = 8192


def number_of(values: Hashable) -> int:
    """A number for values that take long to hash and to compare: the same one for equal values, never one that other
    values have had. Where too many are known, all get new ones."""
    number = _numbers.get(values)
    if number is None:
        if len(_numbers) >= _MOST_NUMBERS:
            _numbers.clear()
        number = _numbers[values] = next(_next_number)
    return number


@dataclass(frozen=True, slots=True)
class Person:
    """A player as everyone knows them. `index`: the position in the list, which decides the mark."""

    handle: str
    name: str
    index: int
    team: str
    is_bot: bool
    is_open: bool


class People:
    """A match's players by handle, in list order."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._people = {person.handle: person for person in people}

        self.key = number_of(tuple(self._people.values()))
        """Changes whenever anybody is shown differently."""

    def in_teams(self, teams: Mapping[str, str]) -> People:
        """The same people, with the dealt teams (handle -> team) for those without one."""
        return People(person if person.team else replace(person, team=teams.get(person.handle, "")) for person in self)

    def __iter__(self) -> Iterator[Person]:
        return iter(self._people.values())

    def __len__(self) -> int:
        return len(self._people)

    def get(self, handle: str | None) -> Person | None:
        """The player of that handle, or None."""
        return self._people.get(handle) if handle else None

    def index(self, handle: str | None) -> int | str:
        """The position in the list, for HTML attributes; empty for nobody."""
        person = self.get(handle)
        return "" if person is None else person.index

    def name(self, handle: str) -> str:
        """The name to show."""
        person = self.get(handle)
        return handle if person is None else person.name


def people_of(match: Match) -> People:
    """Everybody who plays in a match."""
    return People(
        Person(player.handle, player.shown_name, index, player.team, player.is_bot, player.is_open)
        for index, player in enumerate(match.players.all())
    )


_TICK = 5  # seconds


class MatchTimes:
    """Match times (seconds, as views have them) as instants in UTC."""

    def __init__(self, match: Match, now: datetime) -> None:
        self._clock = match.clock
        self._now = now
        self.paused_at = match.paused_at if match.status == Match.Status.PAUSED else None
        self.place = number_of((match.clock, self.paused_at))
        """Changes whenever times move."""

        self.key = self.key_for(_TICK)
        """Changes whenever times move, and every few seconds, since templates show the time left; browsers count on by
        themselves."""

    def key_for(self, seconds: float) -> int:
        """Such a key that changes so often."""
        return number_of((self.place, seconds, self._now.timestamp() // seconds))

    def instant(self, time: int | float | None) -> datetime | None:
        """When a match time is reached; with a stopped clock, as if it went on from now."""
        if time is None:
            return None
        clock = self._clock if self.paused_at is None else self._clock.started(self.paused_at)
        return clock.instant(timedelta(seconds=time))

    def has_passed(self, time: int | float) -> bool:
        """Whether a match time has been reached, by the match's own clock."""
        return timedelta(seconds=time) <= self._clock.time(self._now)

    def past(self, time: int | float | None) -> datetime | None:
        """When a match time was; None if the clock has been moved since then, so that it is not known here."""
        if time is None or timedelta(seconds=time) < self._clock.anchor_time:
            return None
        return self.instant(time)


class MatchContext:
    """One match as its templates see it. `people`: its players, unless given."""

    def __init__(self, position: Position, now: datetime, people: People | None = None) -> None:
        self._position = position
        self._people = people
        self.now = now

    @cached_property
    def info(self) -> MatchInfo:
        return info_of(self._position.match)

    @cached_property
    def people(self) -> People:
        people = people_of(self._position.match) if self._people is None else self._people
        view = self._position.public
        teams = {line.handle: line.team for line in view.players if line.team} if view is not None else {}
        return people.in_teams(teams) if teams else people

    @cached_property
    def times(self) -> MatchTimes:
        return MatchTimes(self._position.match, self.now)

    def context(self) -> dict[str, object]:
        """What every template of a match gets: `match`, `view`, `people`, `times`, `now`."""
        return {
            "match": self.info,
            "view": self._position.public,
            "people": self.people,
            "times": self.times,
            "now": self.now,
        }
