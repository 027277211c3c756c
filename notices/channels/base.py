"""What all channels share: the messages they get, how they word times, titles and texts, and the errors of sending."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

from matches.queries.log import heads_of
from matches.queries.names import AGAIN, APART
from notices.models import Address, Delivery, Habits, Notice

Read = Callable[[Collection[str]], Mapping[str, str]]
"""Maps sources of notices to fingerprints; sources without one are left out."""


def _of_matches(sources: Collection[str]) -> dict[str, str]:
    rows = {int(number): source for source in sources if (number := source.partition(":")[2]).isdecimal()}
    return {rows[row]: head for row, head in heads_of(rows).items()}


_readers: dict[str, Read] = {"log": _of_matches}


def register(kind: str, read: Read) -> None:
    """Register how to look up fingerprints of notices whose source begins with `kind` and a colon."""
    _readers[kind] = read


def heads_in(notices: Iterable[Notice]) -> dict[str, str]:
    """Return the fingerprints that belong to these notices, by the notices' sources."""
    of_kind: defaultdict[str, set[str]] = defaultdict(set)
    for notice in notices:
        of_kind[notice.source.partition(":")[0]].add(notice.source)
    found: dict[str, str] = {}
    for kind in of_kind.keys() & _readers.keys():
        found |= _readers[kind](of_kind[kind])
    return found


class TryAgain(Exception):
    """Sending failed for now. `after`: how long the receiver asked to wait."""

    def __init__(self, message: str, after: timedelta = timedelta()) -> None:
        super().__init__(message)
        self.after = after


class GaveUp(Exception):
    """Sending failed for good. `address_is_gone`: so will anything else sent to this address."""

    def __init__(self, message: str, *, address_is_gone: bool = False) -> None:
        super().__init__(message)
        self.address_is_gone = address_is_gone


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message to one address of a person, with all that sending it needs, so that sending reads no database.

    `person`: the reader's user id. `zone`: the reader's time zone. `show_details`: whether subject lines and lock
    screens may show the text.
    """

    person: int
    channel: str
    address_token: str
    target: str
    details: dict[str, Any]
    zone: str
    show_details: bool
    items: tuple[Notice, ...]
    is_digest: bool

    @classmethod
    def of(cls, bundle: Sequence[Delivery]) -> Outgoing:
        """Make the message of some deliveries to the same address. Reads the database. A digest may tell of something
        hours ago, so a passed deadline is omitted."""
        notices, is_digest = [each.notice for each in bundle], bundle[0].in_digest
        heads = heads_in(notices)
        for notice in notices:
            notice.head = heads.get(notice.source, "")
            notice.by = None if is_digest and notice.is_past else notice.by
        return cls.to(bundle[0].address, notices, is_digest=is_digest)

    @classmethod
    def to(cls, address: Address, items: Sequence[Notice], *, is_digest: bool = False) -> Outgoing:
        """Make a message with these items. Reads the database."""
        user = address.user
        habits: Habits | None = getattr(user, "notice_habits", None)
        is_mail = address.channel == Address.Channel.EMAIL
        return cls(
            person=user.pk,
            channel=address.channel,
            address_token=address.token,
            target=_confirmed(user) if is_mail else address.target,
            details=address.details,
            zone=user.time_zone,
            show_details=habits is not None and habits.show_details,
            items=tuple(items),
            is_digest=is_digest,
        )


def _confirmed(user: Any) -> str:
    """The person's confirmed address for mail, the primary one first; empty if there is none."""
    found = [each for each in user.emailaddress_set.all() if each.verified]  # prefetched
    return min(found, key=lambda each: (not each.primary, each.pk)).email if found else ""


def channel_of(name: str) -> Any:
    """Return the module of a channel. Its `send(message)` raises `TryAgain` or `GaveUp`, and reads no database."""
    return import_module(f"notices.channels.{name}")


_JOINERS = "\u200c\u200d"  # invisible, but joins words and emoji
_REMOVED = {"Cc", "Cf", "Cs", "Co", "Cn"}


def one_line(text: str) -> str:
    """Return a text without line breaks, and without characters that change the writing direction, hide, or cannot be
    encoded: it stands in mail headers and on lock screens, beside words of this site."""
    kept = _JOINERS + APART + AGAIN if _is_closed(text) else _JOINERS
    shown = (
        " " if sign.isspace() or unicodedata.category(sign) in ("Zl", "Zp") else sign
        for sign in text
        if sign.isspace() or sign in kept or unicodedata.category(sign) not in _REMOVED
    )
    return " ".join("".join(shown).split())


def _is_closed(text: str) -> bool:
    """Whether each name that is set apart has its end mark: an open one would change the direction of what follows."""
    depth = 0
    for sign in text:
        depth += (sign == APART) - (sign == AGAIN)
        if depth < 0:
            return False
    return depth == 0


def lines_of(text: str) -> list[str]:
    """Return the lines of a notice's text, each clean as in `one_line`, without empty ones."""
    return [line for line in map(one_line, text.splitlines()) if line]


def moment(at: datetime, zone: str) -> str:
    """Return “Sun 1 Mar 2026, 15:00 CET (14:00 UTC)”: the reader's own zone first, and both days if they differ."""
    utc = at.astimezone(UTC)
    local = at.astimezone(ZoneInfo(zone))
    if local.utcoffset() == utc.utcoffset():
        return f"{_day(utc)}, {utc:%H:%M} UTC"
    day = "" if local.date() == utc.date() else f"{_day(utc)}, "
    return f"{_day(local)}, {local:%H:%M} {zone_name(local)} ({day}{utc:%H:%M} UTC)"


def by_when(item: Notice, zone: str) -> str:
    """Say until when something is asked of the reader; empty if nothing is."""
    return "" if item.by is None else f"By {moment(item.by, zone)}"


def shown_lines(item: Notice, outgoing: Outgoing) -> list[str]:
    """Return the lines for a chat or lock screen, where others may see them: the text only if the reader allows it, and
    one time, either until when something is asked or when it happened.

    Without the text, the former appears only if the title itself asks for something; on other notices it would reveal
    whether the reader has already submitted.
    """
    at, by = moment(item.at, outgoing.zone), by_when(item, outgoing.zone)
    if outgoing.show_details:
        return [*lines_of(item.text), by or at]
    return [by if by and item.is_asking else at]


def _day(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b} {at.year}"


def zone_name(local: datetime) -> str:
    """Return the short name of an instant's zone: “CET”; “UTC+03:00” for zones without one."""
    name = local.tzname() or "UTC"
    return f"UTC{local.isoformat()[-6:]}" if name[0] in "+-" else name
