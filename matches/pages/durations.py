"""Lengths of time and moments in words. static/js/clock.js then updates the same words every second."""

from datetime import UTC, datetime, timedelta

from matches.infra.moments import moment_in_words as moment_in_words

MINUTE, HOUR, DAY = 60, 3600, 86400
ALMOST_A_WEEK = timedelta(days=6)
SOON = timedelta(hours=2)
URGENT = timedelta(minutes=15)
FEW = timedelta(minutes=2)


def in_words(span: timedelta | float) -> str:
    """The two largest parts that matter: “2 days 4 h”, “24 h”, “20 min”, “4 min 05 s”, “9 s”.

    Hours are used up to two days, because the rules speak of 24 h, not of a day.
    """
    total = max(0, int(span.total_seconds() if isinstance(span, timedelta) else span))
    minutes = total // MINUTE % 60
    if total >= 2 * DAY:
        days, hours = total // DAY, total // HOUR % 24
        return f"{days} days {hours} h" if hours else f"{days} days"
    if total >= HOUR:
        return f"{total // HOUR} h {minutes} min" if minutes else f"{total // HOUR} h"
    if total >= URGENT.total_seconds():
        return f"{minutes} min"
    if total >= MINUTE:
        return f"{minutes} min {total % MINUTE:02d} s"
    return f"{total} s"


def in_few_words(span: timedelta | float) -> str:
    """Like `in_words`, for countdowns on a board: seconds only in the last minute."""
    total = max(0, int(span.total_seconds() if isinstance(span, timedelta) else span))
    if FEW.total_seconds() <= total < URGENT.total_seconds():
        return f"{total // MINUTE} min"
    return f"{total} s" if total < FEW.total_seconds() else in_words(total)


def in_round_words(span: timedelta | float) -> str:
    """Like `in_words`, for rules instead of countdowns: “5 min”, not “5 min 00 s”."""
    return in_words(span).removesuffix(" 00 s")


def in_real_words(span: timedelta | float, speed: int = 1) -> str:
    """Match time in real time, in a match whose clock runs `speed` times as fast: “24 h”, or
    “3 h (24 h of match time)”."""
    length = span if isinstance(span, timedelta) else timedelta(seconds=span)
    said = in_round_words(length)
    return said if speed == 1 else f"{in_round_words(length / speed)} ({said} of match time)"


def moment_in_short(at: datetime, now: datetime) -> str:
    """“Sat 14:00 UTC” within six days, when the day's name is enough; else in full."""
    at = at.astimezone(UTC)
    return f"{at:%a} {at:%H:%M} UTC" if abs(at - now) < ALMOST_A_WEEK else moment_in_words(at)


def urgency(left: timedelta) -> str:
    """How urgent a deadline is: `calm`, `soon`, `urgent`, `passed`; by the reader's time, whatever the match's is."""
    if left <= timedelta(0):
        return "passed"
    if left < URGENT:
        return "urgent"
    return "soon" if left < SOON else "calm"
