"""What all channels share: what is handed to them, and how they say that it did not go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from django.conf import settings

from matches.models import clock
from notices.channels.heads import heads_in
from notices.models import Address, Delivery, Habits

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

    @property
    def url(self) -> str:
        """The whole address."""
        return settings.SITE_URL + self.path


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message to one address, with everything that sending it needs; no database behind it.

    `person`: the reader's user id. `zone`: the reader's. `show_details`: whether subject line and lock screen may show
    the text.
    """

    person: int
    channel: str
    address_token: str
    target: str
    details: dict[str, Any]
    name: str
    zone: str
    show_details: bool
    items: tuple[Item, ...]
    is_digest: bool

    @classmethod
    def of(cls, bundle: Sequence[Delivery], heads: Mapping[str, str] | None = None) -> Outgoing:
        """The message of some deliveries to the same address. `heads`: as `heads_in` has read them for many."""
        known = heads_in(bundle) if heads is None else heads
        items = [_item(each, known.get(each.notice.source, "")) for each in bundle]
        if bundle[0].in_digest:  # what it tells of may be hours old
            now = clock.now()
            items = [replace(each, by=None) if each.by and each.by <= now else each for each in items]
        return message_to(bundle[0].address, items, is_digest=bundle[0].in_digest)


def message_to(address: Address, items: Sequence[Item], *, is_digest: bool = False) -> Outgoing:
    """The message with these items to an address, read with its `user__notice_habits`. Reads the database."""
    user = address.user
    habits: Habits | None = getattr(user, "notice_habits", None)
    return Outgoing(
        person=user.pk,
        channel=address.channel,
        address_token=address.token,
        target=channel_of(address.channel).target_of(address),
        details=address.details,
        name=user.get_short_name(),
        zone=user.time_zone,
        show_details=habits is not None and habits.show_details,
        items=tuple(items),
        is_digest=is_digest,
    )


def _item(delivery: Delivery, head: str = "") -> Item:
    notice = delivery.notice
    match = notice.match
    return Item(
        id=notice.token,
        event=notice.event,
        title=notice.title,
        text=notice.text,
        path=notice.url,
        match_id="" if match is None else match.public_id,
        match_title="" if match is None else match.title,
        game_title="" if match is None else match.rules.title,
        at=notice.at,
        by=notice.by,
        head=head,
    )


class Channel(Protocol):
    """A module of this folder that is named as its channel."""

    def target_of(self, address: Any) -> str:
        """Where to send, read from the database; empty if there is nowhere any more."""

    def send(self, outgoing: Outgoing) -> None:
        """Send one message. Raises `TryAgain`, `GaveUp`. It is called from several threads, without a database."""


@cache
def channel_of(name: str) -> Channel:
    """The channel of that name."""
    return cast(Channel, import_module(f"notices.channels.{name}"))
