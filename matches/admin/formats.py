"""How the console writes times, in UTC and in the host's zone, lengths of time, and who somebody is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from matches.infra.moments import moment_in_words
from matches.pages.durations import in_round_words


def instant(at: datetime) -> str:
    """“Sat 21 Nov, 14:00 UTC (15:00 your time)”, the second part only if the zones differ."""
    said, here, there = moment_in_words(at), timezone.localtime(at), at.astimezone(UTC)
    if here.utcoffset() == there.utcoffset():
        return said
    day = "" if here.date() == there.date() else f"{here:%a} {here.day} {here:%b}, "
    return f"{said} ({day}{here:%H:%M} your time)"


def local(at: datetime) -> str:
    """“Sat 21 Nov, 15:00:07” in the host's zone, which every page of the console names at its foot."""
    here = timezone.localtime(at)
    return f"{here:%a} {here.day} {here:%b}, {here:%H:%M:%S}"


def span(length: timedelta | float) -> str:
    """A length of time in words."""
    return in_round_words(length)


def called(player: Any) -> str:
    """A player or member for hosts: the handle, and the name if it differs."""
    return str(player.handle if player.shown_name == player.handle else f"{player.handle} ({player.shown_name})")
