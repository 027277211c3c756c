"""How every channel writes instants, titles and texts."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from matches.queries.bidirectional import AGAIN, APART
from notices import events
from notices.channels.base import Item

_JOINERS = "\u200c\u200d"  # invisible, but words and emoji are put together with them
_REMOVED = {"Cc", "Cf", "Cs", "Co", "Cn"}


def one_line(text: str) -> str:
    """A text without line breaks, and without characters that turn the direction of what follows, hide, or cannot be
    encoded: it goes into mail headers and onto lock screens, beside words of this site."""
    kept = _JOINERS + APART + AGAIN if _is_closed(text) else _JOINERS
    shown = (
        " " if sign.isspace() or unicodedata.category(sign) in ("Zl", "Zp") else sign
        for sign in text
        if sign.isspace() or sign in kept or unicodedata.category(sign) not in _REMOVED
    )
    return " ".join("".join(shown).split())


def _is_closed(text: str) -> bool:
    """Whether each name that is set apart has its end: what is open would turn what follows."""
    depth = 0
    for sign in text:
        depth += (sign == APART) - (sign == AGAIN)
        if depth < 0:
            return False
    return depth == 0


def lines_of(text: str) -> list[str]:
    """The lines of a notice's text, each clean as in `one_line`, without empty ones."""
    return [line for line in map(one_line, text.splitlines()) if line]


def moment(at: datetime, zone: str) -> str:
    """“Sun 1 Mar 2026, 15:00 CET (14:00 UTC)”: the reader's own zone first; the day again where it differs."""
    utc = at.astimezone(UTC)
    local = at.astimezone(ZoneInfo(zone))
    if local.utcoffset() == utc.utcoffset():
        return f"{_day(utc)}, {utc:%H:%M} UTC"
    day = "" if local.date() == utc.date() else f"{_day(utc)}, "
    return f"{_day(local)}, {local:%H:%M} {_zone_name(local)} ({day}{utc:%H:%M} UTC)"


def by_when(item: Item, zone: str) -> str:
    """Until when something is asked of the reader; empty if nothing is."""
    return "" if item.by is None else f"By {moment(item.by, zone)}"


def when(item: Item, zone: str) -> str:
    """The moment that every message names: until when something is asked, else when it happened."""
    return by_when(item, zone) or moment(item.at, zone)


def when_seen_by_others(item: Item, zone: str) -> str:
    """The same where others may see it. Until when something is asked stands there only if the title says that
    something is: elsewhere it would tell whether the reader has sent theirs already."""
    return when(item, zone) if is_asking(item) else moment(item.at, zone)


def is_asking(item: Item) -> bool:
    """Whether the event itself asks something of the reader."""
    event = events.EVENTS.get(item.event)
    return event is not None and event.group == events.ACT


def _day(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b} {at.year}"


def _zone_name(local: datetime) -> str:
    """“CET”; zones without a name of their own show their offset as “+03”, which is read as UTC+3."""
    name = local.tzname() or ""
    return f"UTC{name}" if name[:1] in "+-" else name
