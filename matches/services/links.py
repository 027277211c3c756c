"""Links with which one person can take a place of a match or of a season: made, sent, opened, used, renewed, revoked.

What becomes of a place that is taken, and who may do all this, is said by `joining` and by whatever else has places.
Each place knows its links as `invitations`; an open place also has one that nobody has noted, by its `invite_nonce`.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import OperationalError
from django.db.models import QuerySet
from django.dispatch import Signal

from matches.infra.db_waits import hurried
from matches.models import Link, clock
from matches.models.player import new_nonce
from matches.services.commands import AlreadyDone
from matches.services.errors import CommandRefused

LONGEST = timedelta(days=365)
GONE = "This invitation no longer works. Ask the host for a new one."
TAKEN = "Somebody else has taken this place. Ask the host for a new invitation."


def check_lasting(lasts: timedelta | None) -> None:
    """Raise `CommandRefused` for a length that cannot be."""
    if lasts is not None and not timedelta() < lasts <= LONGEST:
        raise CommandRefused(f"A link can work for more than 0 and at most {LONGEST.days} days.", field="lasts")


def make(
    place: Any, host: Any, now: datetime, *, sent_to: Any, label: str, lasts: timedelta | None, **more: Any
) -> Any:
    """A new link to a place; earlier ones no longer work. Raises as `check_lasting`."""
    check_lasting(lasts)
    place.invitations.filter(used_at=None, revoked_at=None).update(revoked_at=now)
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
    """Make the links that were sent so far for an open place useless; the new nonce. `seen`: that of the link which a
    host has seen. Raises `AlreadyDone` if another has taken its place since."""
    if seen and place.invite_nonce != seen:
        raise AlreadyDone(f"{place.handle} already has a new link.")
    place.invite_nonce = new_nonce()
    place.save(update_fields=["invite_nonce"])
    return str(place.invite_nonce)


def alive(links: Any, number: int, now: datetime, *, to_send: bool = False) -> Any:
    """The link of this number. Raises `CommandRefused` if it no longer works, or, `to_send`, if it is for nobody."""
    found = links.filter(pk=number).first()
    if found is None or not found.is_alive(now) or not found.fits(found.place):
        message = "That invitation no longer works anyway: it was used, revoked or replaced, or it expired."
        raise CommandRefused(message, code="invitation_gone")
    if to_send and found.sent_to is None:
        raise CommandRefused("This link is not for somebody with an account here, so you have to send it yourself.")
    return found


def send(link: Link, code: str, invited: Signal) -> None:
    """Tell the person for whom a link is, if it is for anybody, and count that."""
    if link.sent_to is not None:
        link.times_sent += 1
        link.save(update_fields=["times_sent"])
        invited.send(sender=type(link), invitation=link, code=code)


def revoke(link: Any, now: datetime) -> None:
    """Make a link stop working at once."""
    link.revoked_at = now
    link.save(update_fields=["revoked_at"])
    if link.place.is_open:
        renew(link.place)


def has_ended(place: Any) -> bool:
    """Whether the present link to an open place has an end that has come."""
    found = place.invitations.filter(nonce=place.invite_nonce).first()
    return found is not None and not found.is_alive(clock.now())


def note_opened(found: QuerySet[Any], **hosted: Any) -> None:
    """Note that somebody has followed a link that works; for the hosts' list. What cannot be noted now is not missed.
    Hosts who try their own links (of what is `hosted`) do not count."""
    now = clock.now()
    with suppress(OperationalError), hurried():
        if found.exists():
            found.filter(opened_at=None).exclude(**hosted).update(opened_at=now)


def note_used(place: Any, user: Any, now: datetime, **owner: Any) -> None:
    """Note who has taken an open place by its link, in the transaction in which they do."""
    used = {"used_at": now, "used_by": user}
    place.invitations.update_or_create(nonce=place.invite_nonce, **owner, defaults=used)


def read_code(code: str, salt: str) -> dict[str, Any]:
    """What a link's code says; empty for one that this site has not made."""
    try:
        said: dict[str, Any] = signing.loads(code, salt=salt)
    except signing.BadSignature:
        return {}
    return said
