"""Match time: reading it from files and configs, and writing it as JSON.

Match time counts from the opening of the match. The rules keep it as a `timedelta`, exact to the microsecond.
"""

import math
import re
from datetime import timedelta

NO_TIME = timedelta()
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

LONGEST = timedelta(days=3650)
"""Longer spans are refused: they can only be mistakes, and every match time must map to a valid UTC instant."""

ACCEPTED = "a number of seconds, or whole numbers with units, such as 24h, 2d, 90m or 1d12h"

_PARTS = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)


def parse_duration(raw: object) -> timedelta:
    """Read a span as configs and scenario files write it.

    Raises `ValueError` with a sentence that says what would be accepted.
    """
    if isinstance(raw, str):
        return _bounded(_from_parts(raw))
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise ValueError(f"expected {ACCEPTED}")
    if isinstance(raw, float) and not math.isfinite(raw):
        raise ValueError(f"expected {ACCEPTED}")
    if raw < 0:
        raise ValueError("a time cannot be negative")
    if raw > LONGEST.total_seconds():
        raise ValueError(f"a time cannot be longer than {LONGEST.days} days")
    return timedelta(seconds=raw)


_UNITS = "d for days, h for hours, m for minutes or s for seconds, such as 24h or 1d12h"

_SECONDS = re.compile(r"(\d{1,9}\.\d{1,6})s(?:econds)?", re.ASCII)


def parse_typed(text: str) -> timedelta:
    """Read a span as a person types it: whole parts such as `1d12h` or `24 h`, whatever `spell` returns, or `0`.

    A bare number is refused: nobody who types 24 means 24 seconds. Raises `ValueError` with a
    sentence that says what would be accepted.
    """
    bare = "".join(text.split()).lower()
    if bare == "0":
        return timedelta()
    if re.fullmatch(r"\d+(?:\.\d*)?", bare, re.ASCII):
        raise ValueError(f"{bare[:12]} what? Add {_UNITS}")
    if found := _SECONDS.fullmatch(bare):
        return _bounded(timedelta(seconds=float(found[1])))
    return _bounded(_from_parts(bare, f"whole numbers with {_UNITS}"))


def _from_parts(raw: str, accepted: str = ACCEPTED) -> timedelta:
    text = raw.strip()
    if text.startswith("-"):
        raise ValueError("a time cannot be negative")
    found = _PARTS.fullmatch(text)
    if not text or found is None:
        raise ValueError(f"{raw[:40]!r} is not a time; expected {accepted}")
    if max(len(part or "") for part in found.groups()) > 12:
        raise ValueError(f"a time cannot be longer than {LONGEST.days} days")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    try:
        return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    except OverflowError:
        raise ValueError(f"a time cannot be longer than {LONGEST.days} days") from None


def _bounded(span: timedelta) -> timedelta:
    if span > LONGEST:
        raise ValueError(f"a time cannot be longer than {LONGEST.days} days")
    return span


def seconds(span: timedelta) -> int | float:
    """A span in seconds, as JSON has it: an int if it is whole, a float otherwise."""
    if span.microseconds == 0:
        return span.days * 86_400 + span.seconds
    return span.total_seconds()


def optional_seconds(span: timedelta | None) -> int | float | None:
    """The same as `seconds`, but None for None."""
    return None if span is None else seconds(span)


def spell_told(span: timedelta) -> str:
    """A span as announcements give it, like `spell` but rounded to seconds: a deadline moved to a given moment has
    moved by a span with microseconds, which nobody wants to read."""
    return spell(timedelta(seconds=round(span.total_seconds()))) if span >= timedelta(seconds=1) else spell(span)


def spell(span: timedelta) -> str:
    """A span as a person writes it and `parse_duration` reads it: `1d12h`, `1h30m`.

    A span with fractions of a second is written as `1.5 seconds`, which only `parse_typed` reads.
    """
    if span.microseconds:
        return f"{span.total_seconds()} seconds"
    hours, rest = divmod(span.seconds, 3600)
    minutes, secs = divmod(rest, 60)
    parts = ((span.days, "d"), (hours, "h"), (minutes, "m"), (secs, "s"))
    # Up to two days people count in hours: "24h" and "48h" are how deadlines are spoken of.
    if span <= timedelta(days=2) and span.days and not minutes and not secs:
        return f"{span.days * 24 + hours}h"
    return "".join(f"{count}{unit}" for count, unit in parts if count) or "0h"
