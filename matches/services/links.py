"""Links with which one person can take a place in a match or a season: making, sending, noting, renewing, revoking.

Who may do this, and what happens to the place, is up to the callers, such as `joining`. A place has its links as
`invitations`; an open place always has a link, by its `invite_nonce`, even without an invitation.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.core import signing
from django.db import OperationalError
from django.db.models import QuerySet

from matches.infra.db_waits import hurried
from matches.models import Link, clock
from matches.models.player import new_nonce
from matches.services.commands import AlreadyDone
from matches.services.errors import CommandRefused, retrying
from matches.services.signals import invitation_ended, invited

LONGEST = timedelta(days=365)
GONE = "This invitation no longer works. Ask the host for a new one."
TAKEN = "Somebody else has taken this place. Ask the host for a new invitation."


def taken(place: Any) -> str:
    """Say to a host that a place is not open."""
    return f"The place {place.handle} is taken. Choose an open one."


class Inviting(NamedTuple):
    """What hosts do about invitations to the places of a match or season, the `subject`.

    Each command raises `CommandRefused`, `NotAHost`, and `AlreadyDone` for a repeated `key`. What differs:
    `commanded` (subject, host, key=) locks the subject and gives its writer; `place_now` (writer, place, sent_to)
    returns the place as it is under the lock, and more fields of a link to it; `note` (writer, host, command, place,
    link or None, key) notes a command; `code_of` is the code of a link.
    """

    commanded: Callable[..., AbstractContextManager[Any]]
    place_now: Callable[[Any, Any, Any], tuple[Any, dict[str, Any]]]
    note: Callable[[Any, Any, str, Any, Any, str], None]
    code_of: Callable[[Any], str]

    @retrying
    def invite(self, subject: Any, host: Any, place: Any, *, sent_to: Any = None, key: str = "", **meant: Any) -> Any:
        """Make a new link to a place, as `make` does. `sent_to` gets it as a notice."""
        with self.commanded(subject, host, key=key) as writer:
            found, more = self.place_now(writer, place, sent_to)
            made = make(found, host, writer.now, sent_to=sent_to, **meant, **more)
            self.note(writer, host, "invite", found, made, key)
            send(made, self.code_of(made))
            return made

    @retrying
    def send_again(self, subject: Any, host: Any, number: int, *, key: str = "") -> Any:
        """Send a link once more to the person for whom it is."""
        with self.commanded(subject, host, key=key) as writer:
            found = alive(subject.invitations, number, writer.now, to_send=True)
            self.note(writer, host, "invite_again", found.place, found, key)
            send(found, self.code_of(found))
            return found

    @retrying
    def revoke(self, subject: Any, host: Any, number: int, *, key: str = "") -> Any:
        """Make a link stop working at once."""
        with self.commanded(subject, host, key=key) as writer:
            found = alive(subject.invitations, number, writer.now)
            self.note(writer, host, "revoke_invitation", found.place, found, key)
            revoke(found, writer.now)
            return found

    @retrying
    def renew(self, subject: Any, host: Any, place: Any, *, nonce: str = "") -> None:
        """Give an open place a new link, as the function `renew` does. `nonce` is that of the link the host saw."""
        with self.commanded(subject, host) as writer:
            found, _ = self.place_now(writer, place, None)
            renew(found, nonce)
            self.note(writer, host, "renew_invitation", found, None, "")


def check_lasting(lasts: timedelta | None) -> None:
    """Raise `CommandRefused` for a time that a link cannot last."""
    if lasts is not None and not timedelta() < lasts <= LONGEST:
        raise CommandRefused(f"A link can work for more than 0 and at most {LONGEST.days} days.", field="lasts")


def make(
    place: Any, host: Any, now: datetime, *, sent_to: Any, label: str = "", lasts: timedelta | None = None, **more: Any
) -> Any:
    """Make a new link to a place; earlier ones stop working. `lasts`: how long it works, in real time; None: until the
    place changes. Raises as `check_lasting`."""
    check_lasting(lasts)
    earlier = place.invitations.filter(used_at=None, revoked_at=None)
    _tell_of_the_end(earlier)
    earlier.update(revoked_at=now)
    return place.invitations.create(
        nonce=renew(place) if place.is_open else new_nonce(),
        made_at=now,
        made_by=host.username,
        sent_to=sent_to,
        label=label,
        expires_at=None if lasts is None else now + lasts,
        **more,
    )


def renew(place: Any, seen: str = "") -> str:
    """Give an open place a new nonce, so that earlier links stop working, and return it. `seen`: the nonce of the link
    that the host has seen. Raises `AlreadyDone` if the place has another by now, `CommandRefused` if it is taken."""
    if not place.is_open:
        raise CommandRefused(taken(place))
    if seen and place.invite_nonce != seen:
        raise AlreadyDone(f"{place.handle} already has a new link.")
    _tell_of_the_end(place.invitations.filter(nonce=place.invite_nonce))
    place.invite_nonce = new_nonce()
    place.save(update_fields=["invite_nonce"])
    return str(place.invite_nonce)


def _tell_of_the_end(links: Iterable[Link]) -> None:
    for each in links:
        invitation_ended.send(sender=type(each), invitation=each)


def alive(links: Any, number: int, now: datetime, *, to_send: bool = False) -> Any:
    """The link with this id. Raises `CommandRefused` if it no longer works or, with `to_send`, has no recipient."""
    found = links.filter(pk=number).first()
    if found is None or not found.is_alive(now) or not found.fits(found.place):
        message = "That invitation no longer works anyway: it was used, revoked or replaced, or it expired."
        raise CommandRefused(message, code="invitation_gone")
    if to_send and found.sent_to is None:
        raise CommandRefused("This link is not for somebody with an account here, so you have to send it yourself.")
    return found


def send(link: Link, code: str) -> None:
    """Send a link to its recipient, if it has one, and count that."""
    if link.sent_to is not None:
        link.times_sent += 1
        link.save(update_fields=["times_sent"])
        invited.send(sender=type(link), invitation=link, code=code)


def revoke(link: Any, now: datetime) -> None:
    """Make a link stop working at once."""
    link.revoked_at = now
    link.save(update_fields=["revoked_at"])
    _tell_of_the_end([link])
    if link.place.is_open:
        renew(link.place)


def has_ended(place: Any) -> bool:
    """Whether the current link of an open place has expired or was revoked."""
    found = place.invitations.filter(nonce=place.invite_nonce).first()
    return found is not None and not found.is_alive(clock.now())


def note_opened(found: QuerySet[Any], **hosted: Any) -> None:
    """Note for the hosts' list that somebody has opened a link. Skipped if the database is busy. Hosts who try their
    own links do not count: `hosted` is a filter for these links."""
    now = clock.now()
    with suppress(OperationalError), hurried():
        if found.exists():
            found.filter(opened_at=None).exclude(**hosted).update(opened_at=now)


def note_used(place: Any, user: Any, now: datetime, **owner: Any) -> None:
    """Note who has taken an open place by its link, in the transaction in which they do."""
    use(place.invitations.get_or_create(nonce=place.invite_nonce, **owner)[0], user, now)


def use(link: Any, user: Any, now: datetime) -> None:
    """Note who has used a link."""
    link.used_at, link.used_by = now, user
    link.save(update_fields=["used_at", "used_by"])
    _tell_of_the_end([link])


def read_code(code: str, salt: str) -> dict[str, Any]:
    """The content of a link's code; empty if this site has not signed it."""
    try:
        said: dict[str, Any] = signing.loads(code, salt=salt)
    except signing.BadSignature:
        return {}
    return said
