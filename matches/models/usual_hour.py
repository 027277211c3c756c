"""The usual hour: a time of day in a time zone, and when it comes next. Pure arithmetic, for matches and seasons.

Twice a year a zone with summer time has a day on which some times of day are missing (the clocks go forward) and one on
which some come twice (they go back). As in calendars (RFC 5545), a missing time comes as much later as the clocks go
forward, and of two the first one counts. `UsualHour.oddity` says so for such a day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY = timedelta(days=1)
_HOUR = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class UsualHour:
    """A time of day, to the minute, in a time zone."""

    hour: time
    zone: ZoneInfo

    @classmethod
    def read(cls, hour: str, zone: str) -> UsualHour | None:
        """Read “14:00” and “Europe/Berlin”; None for an empty hour. Raises `ValueError` for anything else."""
        if not hour:
            return None
        found = _HOUR.fullmatch(hour)
        if found is None:
            raise ValueError("A time of day looks like 14:00.")
        try:
            return cls(time(int(found[1]), int(found[2])), ZoneInfo(zone))
        except (KeyError, ValueError, OSError) as error:  # ZoneInfoNotFoundError is a KeyError
            raise ValueError("Choose a time zone, such as Europe/Berlin.") from error

    @classmethod
    def if_known(cls, hour: str, zone: str) -> UsualHour | None:
        """The same as `read`, but None for a zone that this machine does not know."""
        try:
            return cls.read(hour, zone)
        except ValueError:
            return None

    def __str__(self) -> str:
        """“14:00 in Europe/Berlin”."""
        return f"{self.hour:%H:%M} in {self.zone.key}"

    def on(self, day: date) -> datetime:
        """The instant of this hour on a day, in UTC."""
        return datetime.combine(day, self.hour, self.zone).astimezone(UTC)

    def after(self, instant: datetime) -> datetime:
        """The first instant of this hour later than an instant, in UTC."""
        day = instant.astimezone(self.zone).date() - _DAY
        while (at := self.on(day)) <= instant:
            day += _DAY
        return at

    def first_from(self, instant: datetime) -> datetime:
        """The same as `after`, or the instant itself if it is at this hour."""
        return self.after(instant - timedelta.resolution)

    def oddity(self, at: datetime) -> str:
        """A sentence if the clocks change around an instant of this hour; empty on nearly all days."""
        here = at.astimezone(self.zone)
        where = f"on {here:%a} {here.day} {here:%b} in {self.zone.key}"
        if here.time() != self.hour:
            return f"{self.hour:%H:%M} does not exist {where}, when the clocks go forward. It is {here:%H:%M} then."
        if here.utcoffset() != here.replace(fold=1).utcoffset():
            return f"{self.hour:%H:%M} occurs twice {where}, when the clocks go back. The first one counts."
        return ""
