"""What all channels share: what is handed to them, how they word instants, titles and texts, and how they say that it
did not go out."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from matches.models import clock
from matches.queries.log import heads_of
from matches.queries.names import AGAIN, APART
from notices import events
from notices.models import Address, Delivery, Habits, Notice

Read = Callable[[Collection[str]], Mapping[str, str]]
"""From sources of notices to fingerprints; sources without one are left out."""


def _of_matches(sources: Collection[str]) -> dict[str, str]:
    rows = {int(number): source for source in sources if (number := source.partition(":")[2]).isdecimal()}
    return {rows[row]: head for row, head in heads_of(rows).items()}


_readers: dict[str, Read] = {"log": _of_matches}


def register(kind: str, read: Read) -> None:
    """From now on `read` knows the fingerprints of notices whose source begins with this word and a colon."""
    _readers[kind] = read


def heads_in(notices: Iterable[Notice]) -> dict[str, str]:
    """The fingerprints beside what these tell of, by the notices' sources."""
    of_kind: defaultdict[str, set[str]] = defaultdict(set)
    for notice in notices:
        of_kind[notice.source.partition(":")[0]].add(notice.source)
    found: dict[str, str] = {}
    for kind in of_kind.keys() & _readers.keys():
        found |= _readers[kind](of_kind[kind])
    return found


PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 7200, 21_600))
"""Before each next try. After the last one it is given up."""

MOST_ASKED = timedelta(days=1)
"""The longest that a receiver may ask to be left alone."""


class TryAgain(Exception):
    """It did not go out now, and may later. `after`: the receiver asked to be left alone for so long."""

    def __init__(self, message: str, after: timedelta = timedelta()) -> None:
        super().__init__(message)
        self.after = after


class GaveUp(Exception):
    """It will never go out. `address_is_gone`: nothing else will go there either."""

    def __init__(self, message: str, *, address_is_gone: bool = False) -> None:
        super().__init__(message)
        self.address_is_gone = address_is_gone


@dataclass(frozen=True, slots=True)
class Item:
    """One notice as a channel shows it. `path` is an address on this site, instants are UTC. `head`: of the log
    of its match or season at the close that it tells of, if it tells of one."""

    id: str
    event: str
    title: str
    text: str
    path: str
    match_id: str
    match_title: str
    game_title: str
    at: datetime
    by: datetime | None
    head: str = ""

    @classmethod
    def of(cls, notice: Notice, heads: Mapping[str, str], *, is_late: bool = False) -> Item:
        """`is_late`: what it tells of may be hours old."""
        match, has_passed = notice.match, notice.by is not None and notice.by <= clock.now()
        return cls(
            id=notice.token,
            event=notice.event,
            title=notice.title,
            text=notice.text,
            path=notice.url,
            match_id=match.public_id if match else "",
            match_title=match.title if match else "",
            game_title=match.rules.title if match else "",
            at=notice.at,
            by=None if is_late and has_passed else notice.by,
            head=heads.get(notice.source, ""),
        )

    @property
    def url(self) -> str:
        """The whole address."""
        return settings.SITE_URL + self.path


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message to one address of a person, with everything that sending it needs; no database behind it.

    `person`: the reader's user id. `zone`: the reader's. `show_details`: whether subject line and lock screen may show
    the text.
    """

    person: int
    channel: str
    address_token: str
    target: str
    details: dict[str, Any]
    zone: str
    show_details: bool
    items: tuple[Item, ...]
    is_digest: bool

    @classmethod
    def of(cls, bundle: Sequence[Delivery]) -> Outgoing:
        """The message of some deliveries to the same address. Reads the database."""
        notices, is_digest = [each.notice for each in bundle], bundle[0].in_digest
        heads = heads_in(notices)
        items = [Item.of(notice, heads, is_late=is_digest) for notice in notices]
        return cls.to(bundle[0].address, items, is_digest=is_digest)

    @classmethod
    def to(cls, address: Address, items: Sequence[Item], *, is_digest: bool = False) -> Outgoing:
        """The message with these items to an address. Reads the database."""
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
    found = [each for each in user.emailaddress_set.all() if each.verified]  # read for many at once
    return min(found, key=lambda each: (not each.primary, each.pk)).email if found else ""


def channel_of(name: str) -> Any:
    """The module that sends by a channel: `send(message)` raises `TryAgain` or `GaveUp`, and reads no database."""
    return import_module(f"notices.channels.{name}")


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


def shown_lines(item: Item, outgoing: Outgoing) -> list[str]:
    """What appears in a chat or on a lock screen, where others may see it: the text only if it may be shown, and the
    moment that every message names, until when something is asked, else when it happened.

    Without the text, until when something is asked stands there only if the title says that something is: elsewhere it
    would tell whether the reader has sent theirs already.
    """
    at, by = moment(item.at, outgoing.zone), by_when(item, outgoing.zone)
    if outgoing.show_details:
        return [*lines_of(item.text), by or at]
    return [by if by and is_asking(item) else at]


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
