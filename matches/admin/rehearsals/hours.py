"""The deadlines of a rehearsal as if the match had begun at its start."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from matches.admin import formats
from matches.engine.rehearsal import Deadline
from matches.engine.views import MatchTime
from matches.models.clock import MatchClock
from matches.pages.durations import in_real_words


class Due(NamedTuple):
    """A deadline in words. `is_sure`: whether it came then in all matches, whatever bots did."""

    what: str
    after: str
    moment: str
    is_sure: bool


def instant_of(times: MatchClock, at: MatchTime) -> datetime:
    """When a match time comes by a clock that runs."""
    instant = times.instant(timedelta(seconds=at))
    if instant is None:
        raise TypeError("the clock of a rehearsal never stands still")
    return instant


def dues(deadlines: Iterable[Deadline], fixed: Iterable[MatchTime], *, times: MatchClock) -> list[Due]:
    """The deadlines in order. `times` says when each match time comes."""
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
