"""What a person has chosen, for the page on which they choose."""

from __future__ import annotations

from typing import Any, NamedTuple

from allauth.account.models import EmailAddress

from matches.queries.lists import hosted_by
from notices import events
from notices.events import Event
from notices.models import Address, Choice, Habits, Mute


class EventChoices(NamedTuple):
    """An event of the grid, with the channels by which the person hears of it."""

    event: Event
    on: frozenset[str]


class Mail(NamedTuple):
    """The account's address for mail. `address`: what is known of it as a channel, if anything was sent yet."""

    email: str
    is_confirmed: bool
    address: Address | None


def grid(user: Any) -> list[tuple[str, list[EventChoices]]]:
    """The events by what the person is to them, players first; those for hosts only if the person hosts."""
    chosen = {(choice.event, choice.channel): choice.on for choice in Choice.objects.filter(user=user)}
    parts = [("In matches that I play in", False)]
    if user.is_staff or hosted_by(user).exists():
        parts.append(("In matches that I host", True))
    return [
        (title, [_choices(each, chosen) for each in events.EVENTS.values() if each.for_hosts == for_hosts])
        for title, for_hosts in parts
    ]


def _choices(event: Event, chosen: dict[tuple[str, str], bool]) -> EventChoices:
    channels = events.CHANNELS
    on = (each for each in channels if chosen.get((event.key, each), events.is_default(event.key, each)))
    return EventChoices(event, frozenset(on))


def habits_of(user: Any) -> Habits:
    """A person's habits, or the defaults, not yet stored."""
    return Habits.objects.filter(user=user).first() or Habits(user=user)


def mail_of(user: Any) -> Mail | None:
    """Where mail goes, or would go once it is confirmed; None without any address."""
    found = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary", "pk").first()
    if found is None:
        return None
    address = Address.objects.filter(user=user, channel=Address.Channel.EMAIL).first()
    return Mail(found.email, found.verified, address)


def addresses_of(user: Any, channel: str) -> list[Address]:
    """A person's addresses of one channel, in the order in which they were added."""
    return list(Address.objects.filter(user=user, channel=channel).order_by("pk"))


def has_address(user: Any, token: str) -> bool:
    """Whether this is the token of an address of the person's own."""
    return Address.objects.filter(user=user, token=token).exists()


def muted(user: Any) -> list[Mute]:
    """The matches that a person has muted, the last one first."""
    return list(Mute.objects.filter(user=user).select_related("match").defer("match__state").order_by("-pk"))


def is_muted(user: Any, match_id: int) -> bool:
    """Whether a person has muted this match."""
    return Mute.objects.filter(user=user, match_id=match_id).exists()
