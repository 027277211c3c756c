"""The channel for pushes to browsers (Web Push): messages are encrypted for the browser, and the push service only
passes them on.

Push services accept posts for a browser only from the site for which it subscribed. This site's key (VAPID, RFC 8292)
comes from the environment, or is made once and kept in DATA_DIR. With another key every browser has to subscribe again.
"""

import base64
import json
import time
from collections.abc import Mapping
from datetime import timedelta
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from matches.infra.private_files import kept
from matches.models import clock
from notices import events
from notices.channels.base import Outgoing, one_line, shown_lines
from notices.channels.webhook import post
from notices.models import Notice

HOURS = 12
"""How long a signature is valid; push services allow a day at most."""


def authorization(endpoint: str) -> str:
    """Return the Authorization header for a post to this endpoint."""
    parts = urlsplit(endpoint)
    whom = f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"  # whom a push service may write to
    claims = {"sub": whom, "aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + HOURS * 3600}
    return f"vapid t={jwt.encode(claims, _key(_private_key()), algorithm='ES256')},k={public_key()}"


def public_bytes() -> bytes:
    """Return the public key as browsers compare it: 65 bytes."""
    public = _key(_private_key()).public_key()
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public_key() -> str:
    """Return the public key as browsers take it when they subscribe, in base64url."""
    return _in_text(public_bytes())


def _in_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@cache
def _key(private_key: str) -> ec.EllipticCurvePrivateKey:
    number = int.from_bytes(base64.urlsafe_b64decode(private_key + "="), "big")
    return ec.derive_private_key(number, ec.SECP256R1())


def _private_key() -> str:
    """The private key in base64url, from the settings or from a file that is made once."""

    def made() -> str:
        return _in_text(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big"))

    return str(settings.VAPID_PRIVATE_KEY or kept(Path(settings.DATA_DIR) / "vapid.txt", made))


LONGEST_LIFE = timedelta(days=1)
SHORTEST_LIFE = timedelta(minutes=1)

_MOST_BYTES = 3500  # of the payload: push services take 4096 bytes after encryption


def send(outgoing: Outgoing) -> None:
    """Push each notice. Raises `TryAgain`, `GaveUp`."""
    for item in outgoing.items:
        body = _encrypted(payload(item, outgoing), outgoing.details)
        post(outgoing.target, body, _headers(item, outgoing.target), goes_for_good=True)


def _encrypted(text: bytes, keys: Mapping[str, str]) -> bytes:
    """Encrypt a text for the browser with these keys (RFC 8291)."""
    import http_ece

    receiver, secret = (base64.urlsafe_b64decode(keys[name] + "==") for name in ("p256dh", "auth"))
    sender = ec.generate_private_key(ec.SECP256R1())
    return bytes(http_ece.encrypt(text, private_key=sender, dh=receiver, auth_secret=secret))


def payload(item: Notice, outgoing: Outgoing) -> bytes:
    """Return the JSON that the service worker gets, shortened to fit."""
    shown = {
        "title": one_line(item.title),
        "body": "\n".join(shown_lines(item, outgoing)),
        "url": item.url,
        "tag": item.token,
    }
    made = json.dumps(shown).encode()
    while len(made) > _MOST_BYTES:
        shown["body"] = shown["body"][: len(shown["body"]) * 3 // 4].rstrip() + "…"
        made = json.dumps(shown).encode()
    return made


def _headers(item: Notice, endpoint: str) -> dict[str, str]:
    event = events.EVENTS.get(item.event)
    is_urgent = event is None or event.urgent
    return {
        "Authorization": authorization(endpoint),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(_life(item)),
        # The same notice pushed again replaces the first. Topics have at most 32 characters of base64url.
        "Topic": item.token[:32],
        "Urgency": "high" if is_urgent else "normal",
    }


def _life(item: Notice) -> int:
    """For how many seconds the push service keeps it for an absent browser: as long as it is of use."""
    left = LONGEST_LIFE if item.by is None else item.by - clock.now()
    return int(min(max(left, SHORTEST_LIFE), LONGEST_LIFE).total_seconds())
