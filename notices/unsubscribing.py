"""Signed links by which mail is switched off without signing in (RFC 8058), and what they do.

A link names a person and one event, what a digest brings, or everything. It stays good when the person's address
changes, and ends after a year.
"""

from datetime import timedelta
from typing import NamedTuple

from django.core import signing

from accounts.models import User
from notices import events
from notices.preferences import choose

LASTS = timedelta(days=365)
EVERYTHING, DIGEST = "all", "digest"

_SIGNER = signing.TimestampSigner(salt="notices.unsubscribe")
_LONGEST = 200


class BadLink(Exception):
    """The link is not one of this site's (`code` "forged"), is too old ("old"), or its person is gone ("gone")."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def person_of(signer: signing.TimestampSigner, signed: str, lasts: timedelta, old: str) -> tuple[User | None, str]:
    """Whom, by an id, and what else a signed link of a mail names. `old`: said of one that is too old. Raises
    `BadLink`."""
    try:
        if len(signed) > _LONGEST:
            raise signing.BadSignature
        person, _, rest = signer.unsign(signed, max_age=lasts).partition(":")
    except signing.SignatureExpired:
        raise BadLink("old", old) from None
    except (signing.BadSignature, UnicodeError):
        raise BadLink("forged", "This link is not complete. Please copy it whole from the mail.") from None
    return User.objects.filter(pk=int(person), is_active=True).first(), rest


class Subscription(NamedTuple):
    """What a link switches off: mail to this person about these events, called `about`."""

    user: User
    about: str
    keys: tuple[str, ...]

    @property
    def is_everything(self) -> bool:
        """Whether there is no more than that."""
        return len(self.keys) == len(events.EVENTS)


def link(person: int, event: str) -> str:
    """The signed part of a link for a person (by id) and an event, `DIGEST` or `EVERYTHING`."""
    return _SIGNER.sign(f"{person}:{event}")


def read(signed: str) -> Subscription:
    """What a link stands for. Raises `BadLink`."""
    too_old = "This link is more than a year old. Please use the link in a newer mail."
    user, event = person_of(_SIGNER, signed, LASTS, too_old)
    about, keys = _meant(event)
    if user is None or not keys:
        raise BadLink("gone", "There is nothing left that this link could switch off.")
    return Subscription(user, about, keys)


def _meant(named: str) -> tuple[str, tuple[str, ...]]:
    if named == EVERYTHING:
        return "Everything in your matches", tuple(events.EVENTS)
    if named == DIGEST:
        return "Everything that can wait for a digest", tuple(
            key for key, event in events.EVENTS.items() if not event.urgent
        )
    event = events.EVENTS.get(named)
    return (event.label, (event.key,)) if event else ("", ())


def switch(subscription: Subscription, *, on: bool) -> None:
    """Switch mail off, or on again; twice is the same as once. What waits and is no longer wanted is dropped."""
    choose(subscription.user, {(key, events.EMAIL): on for key in subscription.keys})
