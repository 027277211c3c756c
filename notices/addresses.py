"""A person's addresses for notices: webhooks and browsers, how they are added, renewed, tested and removed. Mail needs
none of this; it goes to the confirmed address of the account."""

import base64
import hmac
import secrets
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from matches.models import clock
from notices.channels import push, webhook
from notices.channels.base import GaveUp, Outgoing, TryAgain, channel_of, one_line
from notices.events import TEST
from notices.models import Address, Notice
from notices.routing import make_email_addresses
from notices.safe_http import AddressRefused, host_of, target_of

MOST_WEBHOOKS = 5
MOST_BROWSERS = 10

_WEBHOOK, _PUSH = Address.Channel.WEBHOOK, Address.Channel.PUSH


class Refused(Exception):
    """The address was not added. `code` is stable; the text is a sentence for the form field `field`."""

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.field = code, message, field


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a test message: whether it was accepted, and a sentence about it."""

    sent: bool
    message: str


def add_webhook(user: User, url: str, form: str = webhook.JSON, label: str = "") -> tuple[Address, str]:
    """Add a webhook. Return it and the secret that signs its posts, which is shown only now.

    `form`: `json`, `discord` or `slack`. Raises `Refused` (its field: `url`, `form` or `label`).
    """
    url, label = url.strip(), one_line(label)
    if form not in webhook.BODIES:
        raise Refused("form", "Choose JSON, Discord or Slack.", "form")
    if len(label) > 80:
        raise Refused("label_length", "Give a name of at most 80 characters.", "label")
    check(url, "url")
    secret = new_secret()
    with transaction.atomic():
        _lock(user)
        own = Address.objects.filter(user=user, channel=_WEBHOOK)
        if own.filter(target=url).exists():
            raise Refused("known", "You have already added this address.", "url")
        if own.count() >= MOST_WEBHOOKS:
            raise Refused(
                "too_many",
                f"You already have {MOST_WEBHOOKS} webhooks, the most you can have. Remove one first.",
                "url",
            )
        address = Address.objects.create(
            user=user,
            channel=_WEBHOOK,
            target=url,
            label=label or host_of(url)[:80],
            details={"form": form, "secret": secret},
            created_at=clock.now(),
        )
    return address, secret


def add_browser(user: User, endpoint: str, p256dh: str, auth: str, server_key: str, label: str = "") -> Address:
    """Add a browser's push subscription, or renew it. A browser serves one person only: the last to subscribe.

    `p256dh`, `auth` and `server_key` as the browser gives them (base64url); the last is the key of the site for which
    the browser made the subscription. Raises `Refused`.
    """
    check_subscription(endpoint, p256dh, auth, server_key)
    with transaction.atomic():
        _lock(user)
        Address.objects.filter(channel=_PUSH, target=endpoint).exclude(user=user).delete()
        own = Address.objects.filter(user=user, channel=_PUSH)
        if not own.filter(target=endpoint).exists() and own.count() >= MOST_BROWSERS:
            raise Refused("too_many", f"Only {MOST_BROWSERS} browsers can get push notifications. Remove one first.")
        made = {"label": one_line(label)[:80] or host_of(endpoint)[:80], "details": keys_of(p256dh, auth)}
        address, _ = Address.objects.update_or_create(
            {**made, **Address.AS_NEW}, {**made, "created_at": clock.now()}, user=user, channel=_PUSH, target=endpoint
        )
    return address


def check_subscription(endpoint: str, p256dh: str, auth: str, server_key: str) -> None:
    """Raise `Refused` unless this site can send pushes through this subscription."""
    check(endpoint, "endpoint")
    if decoded(server_key) != push.public_bytes():
        raise Refused("foreign", "This subscription is for another site. Switch push notifications off and on again.")
    if not _is_point(decoded(p256dh)) or len(decoded(auth)) != 16:
        raise Refused("keys", "The browser's keys are not valid. Switch push notifications off and on again.")


def keys_of(p256dh: str, auth: str) -> dict[str, str]:
    """Return a subscription's keys as `Address.details` stores them."""
    return {"p256dh": p256dh.rstrip("="), "auth": auth.rstrip("=")}


def remove(user: User, token: str) -> bool:
    """Remove one of the person's addresses and what waits for it; return whether it existed. The address for mail
    cannot be removed: people switch mail off for each event."""
    own = Address.objects.filter(user=user, token=token).exclude(channel=Address.Channel.EMAIL)
    return bool(own.delete()[0])


def mail_token(user: User) -> str:
    """Return the token of the account's address for mail; empty if none is confirmed."""
    make_email_addresses({user.pk}, clock.now())
    found = Address.objects.filter(user=user, channel=Address.Channel.EMAIL).values_list("token", flat=True)
    return found.first() or ""


def try_out(user: User, token: str) -> Outcome | None:
    """Send a test to one of the person's addresses and wait for the result, at most half a minute. Return None if there
    is no such address. Callers limit how often. If it works, an address that was stopped starts again."""
    address = Address.objects.select_related("user__notice_habits").filter(user=user, token=token).first()
    if address is None:
        return None
    words = {"title": "A test from Genius", "text": "If you can read this, notices reach you here."}
    test = Notice(token=f"test-{secrets.token_urlsafe(9)}", event=TEST, url="/me/", at=clock.now(), **words)
    outgoing = Outgoing.to(address, [test])
    try:
        channel_of(address.channel).send(outgoing)
    except (TryAgain, GaveUp) as error:
        Address.objects.filter(pk=address.pk).update(last_error=str(error)[:300], last_error_at=clock.now())
        return Outcome(False, str(error))
    Address.objects.filter(pk=address.pk).update(last_sent_at=clock.now(), **Address.AS_NEW)
    return Outcome(True, _TAKEN[Address.Channel(address.channel)].format(target=outgoing.target))


_TAKEN = {
    Address.Channel.EMAIL: "The mail server has accepted a test message for {target}.",
    Address.Channel.PUSH: "The browser's push service has accepted a test. It should appear in a moment.",
    Address.Channel.WEBHOOK: "The receiver has accepted a test.",
}


def new_secret() -> str:
    """Return a new secret for signing posts (Standard Webhooks)."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()


def check(url: str, field: str) -> None:
    """Raise `Refused` if this site does not post to the URL."""
    try:
        target_of(url)
    except AddressRefused as error:
        raise Refused(error.code, error.message, field) from None


def _lock(user: User) -> None:
    """Lock the person, so that the limits hold for parallel requests."""
    User.objects.select_for_update().get(pk=user.pk)


def decoded(text: str) -> bytes:
    """Decode base64url; empty if the text is not valid."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""


def _is_point(key: bytes) -> bool:
    """Whether this is a point of the curve P-256, uncompressed as browsers send it."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key)
    except ValueError:
        return False
    return len(key) == 65


_PUSHES = Address.objects.filter(channel=Address.Channel.PUSH)


def renew_browser(old_endpoint: str, old_auth: str, endpoint: str, p256dh: str, auth: str, server_key: str) -> Address:
    """Replace a push subscription that a browser has renewed. The address stays its owner's, whoever is signed in.

    `old_auth` is the secret of the earlier subscription, which only the browser and this site know. A push service
    knows its endpoints, and must not be able to redirect what is encrypted for a browser to keys of its own. Raises
    `Refused`, with the code "unknown" also if the address was removed meanwhile.
    """
    check_subscription(endpoint, p256dh, auth, server_key)
    with transaction.atomic():
        found = _locked(old_endpoint, old_auth)
        if found is None:
            # The answer to an earlier try may have been lost.
            found = _locked(endpoint, auth)
            if found is None:
                raise Refused("unknown", "We no longer notify that browser. Switch push notifications on there again.")
            return found
        _PUSHES.filter(target=endpoint).exclude(pk=found.pk).delete()
        found.target, found.details = endpoint, keys_of(p256dh, auth)
        for name, value in Address.AS_NEW.items():
            setattr(found, name, value)
        found.save(update_fields=["target", "details", *Address.AS_NEW])
    return found


def _locked(endpoint: str, auth: str) -> Address | None:
    """Return the address with this subscription if `auth` is its secret. Locks the owner first, like `add_browser`."""
    owner = _PUSHES.filter(target=endpoint).values_list("user", flat=True).first()
    if owner is None:
        return None
    User.objects.select_for_update().get(pk=owner)
    found = _PUSHES.filter(target=endpoint, user=owner).first()
    known = decoded(str(found.details["auth"])) if found is not None else b""
    return found if known and hmac.compare_digest(known, decoded(auth)) else None
