"""Browsers renew their push subscriptions by themselves, often while no page is open. The address then goes on with the
new one; otherwise pushes would end without anybody noticing."""

from __future__ import annotations

import hmac

from django.db import transaction

from accounts.models import User
from notices.models import Address
from notices.services.addresses import AS_NEW, Refused, check_subscription, decoded, keys_of

_PUSHES = Address.objects.filter(channel=Address.Channel.PUSH)


def renew_browser(old_endpoint: str, old_auth: str, endpoint: str, p256dh: str, auth: str, server_key: str) -> Address:
    """Give the address of one subscription another one. Whoever is signed in makes no difference: it stays the address
    of whom it belonged to.

    `old_auth` is the secret of the subscription before, which only the browser and this site know: a push service
    knows its endpoints, and must not be able to turn what is encrypted for a browser to keys of its own. Raises
    `Refused`, with the code "unknown" also where the address was removed meanwhile.
    """
    check_subscription(endpoint, p256dh, auth, server_key)
    with transaction.atomic():
        found = _locked(old_endpoint, old_auth)
        if found is None:
            # The answer to the first try may have been lost.
            found = _locked(endpoint, auth)
            if found is None:
                raise Refused("unknown", "Nothing is sent to that browser any more. Switch pushes on in it again.")
            return found
        _PUSHES.filter(target=endpoint).exclude(pk=found.pk).delete()
        found.target, found.details = endpoint, keys_of(p256dh, auth)
        for name, value in AS_NEW.items():
            setattr(found, name, value)
        found.save(update_fields=["target", "details", *AS_NEW])
    return found


def _locked(endpoint: str, auth: str) -> Address | None:
    """The address with this subscription, if `auth` is its secret. Like whoever adds one, it locks the owner first."""
    owner = _PUSHES.filter(target=endpoint).values_list("user", flat=True).first()
    if owner is None:
        return None
    User.objects.select_for_update().get(pk=owner)
    found = _PUSHES.filter(target=endpoint, user=owner).first()
    known = decoded(str(found.details["auth"])) if found is not None else b""
    return found if known and hmac.compare_digest(known, decoded(auth)) else None
