"""Making, finding and revoking calendar addresses."""

from __future__ import annotations

from django.db import transaction
from django.utils.crypto import constant_time_compare

from accounts.models import User
from feeds.models import CalendarAddress
from matches.models import Match

MOST = 50
"""How many addresses a person can have."""


class TooManyAddresses(Exception):
    """Somebody has as many addresses as anybody can."""


@transaction.atomic
def make_address(user: User, match: Match | None) -> CalendarAddress:
    """A new address for this match, or for all of a person's; the one they had before no longer works. Raises
    `TooManyAddresses`."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()  # two clicks at once
    address = CalendarAddress.objects.filter(user=user, match=match).first()
    if address is None:
        if CalendarAddress.objects.filter(user=user).count() >= MOST:
            raise TooManyAddresses
        address = CalendarAddress(user=user, match=match)
    address.renew()
    address.save()
    return address


def revoke_address(user: User, match: Match | None) -> bool:
    """Let a person's address for this match, or for all of theirs, stop working; whether there was one."""
    return bool(CalendarAddress.objects.filter(user=user, match=match).delete()[0])


def find_address(secret: str) -> CalendarAddress | None:
    """The address with this secret; None if there is none, or its owner's account is closed."""
    found = CalendarAddress.objects.filter(digest=CalendarAddress.digest_of(secret), user__is_active=True)
    return found.select_related("user", "match").first()


def find_by_password(username: str, password: str, public_id: str) -> CalendarAddress | None:
    """The address of that person with this secret, for that match or, if it is empty, for all of theirs."""
    found = find_address(password)
    if found is None or (found.match.public_id if found.match else "") != public_id:
        return None
    return found if constant_time_compare(username.strip().lower(), found.user.username.lower()) else None
