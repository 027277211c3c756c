"""The template context of a match, and its headline."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from accounts.marks import own_mark, told_apart
from matches.engine.sentences import counted, joined
from matches.infra.local_cache import LocalCache
from matches.models import Match, Player
from matches.pages.texts import moment_in_words
from matches.queries.access import Account, accounts_of
from matches.queries.match_info import PageInfo, page_info_of
from matches.queries.matches import Position
from matches.queries.names import set_apart

# -- context ---------------------------------------------------------------------------------------------
# The template context of a match: its public facts, its people, and its times in UTC.
# Templates get neither models nor states, so nothing can be shown by mistake that is not listed here.

_numbers: LocalCache[Hashable, int] = LocalCache(8192)
_next_number = itertools.count()


def number_of(values: Hashable) -> int:
    """Return a number that stands for values that are slow to hash and compare: equal values get the same number, and
    no number is ever used again for other values. Values that have left the cache get a new number."""
    number = _numbers.get(values)
    if number is None:
        number = next(_next_number)
        _numbers.keep(values, number)
    return number


@dataclass(frozen=True, slots=True)
class Person:
    """A player as everyone knows them. `index`: the position in the list; `account`: the username of the person who
    plays, empty for bots and open places; `by_a_bot`: that account is a bot's; `mark`: see `accounts.marks`, by default
    that of the position."""

    handle: str
    name: str
    index: int
    team: str
    is_bot: bool
    is_open: bool
    account: str = ""
    by_a_bot: bool = False
    mark: int | None = None


class People:
    """A match's players by handle, in list order. `are_linked`: whether their names are links to their profiles.

    They are links where people read: in lists of players, news, results, records and talk. On boards and in forms
    people tap on seats and names to play, and a link would take them away.
    """

    def __init__(self, people: Iterable[Person], *, are_linked: bool = False) -> None:
        self._people = {person.handle: person for person in people}
        self.are_linked = are_linked

        self.key = number_of((*self._people.values(), are_linked))
        """Changes whenever anybody is shown differently."""

    def in_teams(self, teams: Mapping[str, str]) -> People:
        """Return the same people; those without a team get the one they were dealt (`teams`: handle -> team)."""
        people = (person if person.team else replace(person, team=teams.get(person.handle, "")) for person in self)
        return People(people, are_linked=self.are_linked)

    def then(self, names: Mapping[str, str]) -> People:
        """Return the same people under the names that some of them had at another time (`names`: handle -> name). Those
        were other accounts in the same places, so they lose their link to a profile."""
        if not names:
            return self
        people = (
            replace(each, name=names[each.handle], account="", by_a_bot=False) if each.handle in names else each
            for each in self
        )
        return People(people, are_linked=self.are_linked)

    @cached_property
    def linked(self) -> People:
        """The same people with their names as links."""
        return self if self.are_linked else People(self, are_linked=True)

    def __iter__(self) -> Iterator[Person]:
        return iter(self._people.values())

    def __len__(self) -> int:
        return len(self._people)

    def get(self, handle: str | None) -> Person | None:
        """Return the player with this handle, or None."""
        return self._people.get(handle) if handle else None

    def index(self, handle: str | None) -> int | str:
        """Return a player's position in the list for an HTML attribute; empty for nobody."""
        person = self.get(handle)
        return "" if person is None else person.index

    def name(self, handle: str) -> str:
        """Return the name to show for a handle."""
        person = self.get(handle)
        return handle if person is None else person.name


def people_of(match: Match) -> People:
    """Return everybody who plays in a match."""
    players = list(match.players.all())
    return _people(players, accounts_of(players))


def _people(players: Sequence[Player], accounts: Iterable[Account]) -> People:
    found = list(accounts)
    marks = told_apart(own_mark(each.username, each.mark) if each.username else None for each in found)
    return People(
        Person(
            player.handle,
            player.shown_name,
            index,
            player.team,
            player.is_bot,
            player.is_open,
            account.username,
            account.is_bot,
            mark,
        )
        for index, (player, account, mark) in enumerate(zip(players, found, marks, strict=True))
    )


class MatchTimes:
    """Converts match times (seconds, as in views) to UTC datetimes."""

    stands_still = False
    """Whether match time passes only when somebody advances it, so that no match time has a UTC datetime."""

    def __init__(self, match: Match, now: datetime) -> None:
        self._clock = match.clock
        self._now = now
        self.paused_at = match.paused_at if match.status == Match.Status.PAUSED else None

    def instant(self, time: int | float | None) -> datetime | None:
        """Return when a match time is reached; while the clock is stopped, as if it went on from now."""
        if time is None:
            return None
        clock = self._clock if self.paused_at is None else self._clock.started(self.paused_at)
        return clock.instant(timedelta(seconds=time))

    def left(self, time: int | float) -> timedelta:
        """Return how much match time is left until a match time."""
        return timedelta(seconds=time) - self._clock.time(self._now)

    def has_passed(self, time: int | float) -> bool:
        """Whether a match time has been reached, by the match's own clock."""
        return timedelta(seconds=time) <= self._clock.time(self._now)

    def past(self, time: int | float | None) -> datetime | None:
        """Return when a past match time was; None if the clock has been moved since, which makes it unknown here."""
        if time is None or timedelta(seconds=time) < self._clock.anchor_time:
            return None
        return self.instant(time)


class MatchContext:
    """One match as its templates see it. `people` and `info`: its players and facts, if the caller has them already."""

    def __init__(
        self, position: Position, now: datetime, people: People | None = None, info: PageInfo | None = None
    ) -> None:
        self._position = position
        self._people = people
        self.now = now
        if info is not None:
            self.info = info

    @cached_property
    def info(self) -> PageInfo:
        return page_info_of(self._position.match)

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
        """Return what every template of a match gets: `match`, `view`, `people`, `times`, `now`."""
        return {
            "match": self.info,
            "view": self._position.public,
            "people": self.people,
            "times": self.times,
            "now": self.now,
        }


class TimesFromOpening(MatchTimes):
    """Match times without UTC datetimes, because the clock goes on only when somebody advances it."""

    stands_still = True

    def past(self, time: int | float | None) -> datetime | None:
        """Return None, so that templates count from the opening."""
        return None


class ContextOutOfTime(MatchContext):
    """A position outside any running match: at a practice table, or as an example."""

    @cached_property
    def times(self) -> MatchTimes:
        return TimesFromOpening(self._position.match, self.now)


# -- headline --------------------------------------------------------------------------------------------
# What is going on in a match, in one public line for titles of links, pictures and recaps.
# “Round 2 of 4 · closes Sun 22 Nov, 21:00 UTC · 8 players”. All times are absolute, so the line stays true until
# something happens.

_MOST_NAMES = 4


@dataclass(frozen=True, slots=True)
class Headline:
    """`where`: the phase or round; `details`: what else to say, most important first; `closes`: the next deadline with
    what happens then; `winners`: who has won. The last two are also among the details, and empty if there is none."""

    where: str
    details: tuple[str, ...]
    closes: str = ""
    winners: str = ""

    @property
    def short(self) -> str:
        """The one thing a title has room for."""
        return self.winners or self.where

    @property
    def line(self) -> str:
        """The whole line."""
        return " · ".join((self.where, *self.details))


def headline_of(position: Position, people: People) -> Headline:
    """Return the headline of a match."""
    match, view = position.match, position.public
    info = page_info_of(match)
    players = counted(len(people), "player")
    ended = moment_in_words(info.finished_at) if info.finished_at else ""
    if match.status == Match.Status.CANCELLED:
        return Headline("Cancelled", tuple(filter(None, (ended, players))))
    if view is None:
        return _coming(info, players, len(people))
    progress = match.rules.progress(view)
    won = _winners(view.winners, people) if view.has_result else ""
    if match.status == Match.Status.FINISHED:
        return Headline(progress.where, tuple(filter(None, (won, ended, players))), winners=won)
    if match.status == Match.Status.PAUSED:
        # Its deadline is postponed for as long as the pause lasts.
        return Headline(f"Paused: {progress.where}", tuple(filter(None, (won, players))), winners=won)
    closes = ""
    if progress.until and view.next_deadline is not None:
        instant = match.clock.instant(timedelta(seconds=view.next_deadline))
        closes = f"{progress.until} {moment_in_words(instant)}" if instant else ""
    return Headline(progress.where, tuple(filter(None, (won, closes, players))), closes, won)


def _coming(info: PageInfo, players: str, count: int) -> Headline:
    taken = f"{count} of {info.places} places taken" if info.open_to_join else players
    if info.start_problem:
        return Headline("It did not begin", ("its hosts can set another start time", taken))
    if info.starts_at is None:
        return Headline("Upcoming", (taken,))
    begins = f"begins {moment_in_words(info.starts_at)}"
    return Headline("Upcoming", (begins, taken), begins)


def _winners(handles: tuple[str, ...], people: People) -> str:
    if not handles:
        return "nobody wins"
    names = [set_apart(people.name(handle)) for handle in handles]
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} others"]
    return f"{joined(names)} {'wins' if len(handles) == 1 else 'win'}"
