"""Making, finding and revoking calendar addresses."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from feeds.models import CalendarAddress


@transaction.atomic
def make_address(user: User) -> CalendarAddress:
    """A new address; the one that the person had before no longer works."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()  # two clicks at once
    address = CalendarAddress.objects.filter(user=user).first() or CalendarAddress(user=user)
    address.renew()
    address.save()
    return address


def revoke_address(user: User) -> bool:
    """Let a person's address stop working; whether there was one."""
    return bool(CalendarAddress.objects.filter(user=user).delete()[0])


def find_address(secret: str) -> CalendarAddress | None:
    """The address with this secret; None if there is none, or its owner's account is closed."""
    found = CalendarAddress.objects.filter(digest=CalendarAddress.digest_of(secret), user__is_active=True)
    return found.select_related("user").first()
