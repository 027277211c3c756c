"""The deadlines of a rehearsal as if the match had begun at its start: in the host's zone, and in those of the players
where the clocks differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from accounts.validators import is_time_zone
from matches.admin import formats
from matches.engine.rehearsal import Deadline
from matches.engine.views import MatchTime
from matches.models.clock import MatchClock
from matches.pages.durations import in_real_words
from matches.services.rehearsals import RehearsedPlayer

NIGHT_ENDS = 7
"""A deadline between 0 and this hour of somebody's day is one at night."""


YOU = "you"
"""The host who reads the report."""


class Elsewhere(NamedTuple):
    """A deadline in a zone whose clocks show something else than the host's, and whose zone it is."""

    zone: str
    moment: str
    who: str


class Due(NamedTuple):
    """A deadline in words. `at`: match time, for links; `sleepers`: the people for whom it is at night; `is_sure`:
    whether it came then in all matches, whatever bots did."""

    at: MatchTime
    what: str
    after: str
    moment: str
    elsewhere: tuple[Elsewhere, ...]
    sleepers: tuple[str, ...]
    is_sure: bool


def instant_of(times: MatchClock, at: MatchTime) -> datetime:
    """When a match time comes by a clock that runs."""
    instant = times.instant(timedelta(seconds=at))
    if instant is None:
        raise TypeError("the clock of a rehearsal never stands still")
    return instant


def dues(
    deadlines: Iterable[Deadline],
    fixed: Iterable[MatchTime],
    players: Iterable[RehearsedPlayer],
    *,
    times: MatchClock,
    here: tzinfo,
) -> list[Due]:
    """The deadlines in order. `times` says when each match time comes; `here` is the host's zone."""
    sure, sleep = set(fixed), _zones(players)
    found = []
    for deadline in deadlines:
        at = instant_of(times, deadline.at)
        found.append(
            Due(
                deadline.at,
                f"{deadline.where}: {deadline.does}" if deadline.does else deadline.where,
                in_real_words(deadline.at, times.speed),
                formats.instant(at),
                tuple(_elsewhere(at, sleep, here)),
                tuple(_asleep(at, sleep, here)),
                deadline.at in sure,
            )
        )
    return found


def _zones(players: Iterable[RehearsedPlayer]) -> dict[str, list[str]]:
    """Zone -> the people who live by it. One that this machine does not have counts as UTC."""
    found: dict[str, list[str]] = {}
    for player in players:
        if player.zone:
            found.setdefault(player.zone if is_time_zone(player.zone) else "UTC", []).append(player.name)
    return found


def _asleep(at: datetime, zones: dict[str, list[str]], here: tzinfo) -> Iterator[str]:
    if at.astimezone(here).hour < NIGHT_ENDS:
        yield YOU
    for zone, names in zones.items():
        if at.astimezone(ZoneInfo(zone)).hour < NIGHT_ENDS:
            yield from names


def _elsewhere(at: datetime, zones: dict[str, list[str]], here: tzinfo) -> Iterator[Elsewhere]:
    mine = at.astimezone(here)
    for zone, names in zones.items():
        there = at.astimezone(ZoneInfo(zone))
        if there.utcoffset() not in (mine.utcoffset(), at.astimezone(UTC).utcoffset()):
            day = "" if there.date() == mine.date() else f"{there:%a} "
            yield Elsewhere(zone, f"{day}{there:%H:%M}", ", ".join(names))
