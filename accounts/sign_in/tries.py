"""Counts tries in the database, before what was typed is looked at.

Each counter keeps the times of its latest tries, so that a limit holds for any stretch of its length. A try is counted
in all its counters or, if one is full, in none. Their rows are locked while that is decided (on SQLite the transaction
is the lock), so many tries at once, in several processes too, are counted exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Tries


class Limit(NamedTuple):
    """At most `most` tries of `what` in `span`. Unless it `is_told`, no answer may show that it is full."""

    what: str
    most: int
    span: timedelta
    is_told: bool = True

    @property
    def key(self) -> str:
        return salted_hmac("accounts.tries", self.what, algorithm="sha256").hexdigest()


class TooMany(Exception):
    """A limit is reached. The next try is possible `at` this time; `is_told` as in `Limit`."""

    def __init__(self, at: datetime, *, is_told: bool) -> None:
        super().__init__(f"too many tries until {at}")
        self.at, self.is_told = at, is_told


class Counted(NamedTuple):
    """A try that was counted: in which counters, and as which time."""

    keys: tuple[str, ...]
    moment: float


def count(limits: Iterable[Limit], now: datetime | None = None) -> Counted:
    """Count a try, or raise `TooMany` and count nothing."""
    now = now or timezone.now()
    wanted = {limit.key: limit for limit in limits}
    keys = sorted(wanted)  # everybody locks in the same order
    # Looked at without a lock first: while somebody hammers a full counter, nobody waits and nothing is written.
    _need_room(wanted, Tries.objects.filter(key__in=keys), now)
    with transaction.atomic():
        rows: list[Tries] = []
        while len(rows) < len(keys):  # `tidy` may delete one before it is locked
            Tries.objects.bulk_create([Tries(key=key, ends_at=now) for key in keys], ignore_conflicts=True)
            rows = _locked(keys)
        _need_room(wanted, rows, now)
        for row in rows:
            limit = wanted[row.key]
            row.times = [*_recent(row, limit, now), now.timestamp()]
            row.ends_at = now + limit.span
        Tries.objects.bulk_update(rows, ["times", "ends_at"])
    return Counted(tuple(keys), now.timestamp())


def give_back(counted: Counted) -> None:
    """The try was right, so it does not count."""
    with transaction.atomic():
        rows = _locked(counted.keys)
        for row in rows:
            if counted.moment in row.times:
                row.times.remove(counted.moment)
        Tries.objects.bulk_update(rows, ["times"])


def tidy(now: datetime) -> None:
    """Delete counters in which nothing counts any more."""
    Tries.objects.filter(ends_at__lt=now).delete()


def _locked(keys: Iterable[str]) -> list[Tries]:
    return list(Tries.objects.select_for_update().filter(key__in=keys).order_by("key"))


def _recent(row: Tries, limit: Limit, now: datetime) -> list[float]:
    return [each for each in row.times if each > (now - limit.span).timestamp()]


def _need_room(wanted: dict[str, Limit], rows: Iterable[Tries], now: datetime) -> None:
    full: list[tuple[bool, datetime]] = []
    for row in rows:
        limit = wanted[row.key]
        recent = sorted(_recent(row, limit, now))
        if len(recent) >= limit.most:
            at = datetime.fromtimestamp(recent[-limit.most], UTC) + limit.span
            full.append((limit.is_told, at))
    if full:
        # If one of them may be told, it would refuse this try by itself as well.
        told = [at for is_told, at in full if is_told]
        raise TooMany(max(told or [at for _, at in full]), is_told=bool(told))
