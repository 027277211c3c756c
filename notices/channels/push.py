"""This site's key for Web Push (VAPID, RFC 8292): push services accept posts for a browser only from the site for which
it subscribed.

The key comes from the environment, or is made once and kept in DATA_DIR. With another key every browser has to
subscribe again.
"""

from __future__ import annotations

import base64
import json
import time
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from datetime import timedelta
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from genius_site.private_files import kept
from matches.models import clock
from notices import events
from notices.channels.base import Item, Outgoing, lines_of, one_line, when, when_seen_by_others
from notices.channels.webhook import post

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from py_vapid import Vapid02


HOURS = 12
"""How long a signature holds; push services allow a day at most."""


def authorization(endpoint: str) -> str:
    """The Authorization header for a post to this endpoint."""
    parts = urlsplit(endpoint)
    claims = {
        "sub": _contact(),
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + HOURS * 3600,
    }
    return str(_signer().sign(claims)["Authorization"])


def public_bytes() -> bytes:
    """The public key as browsers compare it: 65 bytes."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return _key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public_key() -> str:
    """The public key as browsers take it when they subscribe, in base64url."""
    return base64.urlsafe_b64encode(public_bytes()).decode().rstrip("=")


def _key() -> EllipticCurvePrivateKey:
    return _read(settings.VAPID_PRIVATE_KEY or kept(Path(settings.DATA_DIR) / "vapid.txt", _made))


@cache
def _read(text: str) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

    return derive_private_key(int.from_bytes(base64.urlsafe_b64decode(text + "="), "big"), SECP256R1())


def _made() -> str:
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    number = generate_private_key(SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")


def _signer() -> Vapid02:
    from py_vapid import Vapid02

    return Vapid02(_key())


def _contact() -> str:
    """Whom a push service may write to."""
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


LONGEST_LIFE = timedelta(days=1)
SHORTEST_LIFE = timedelta(minutes=1)

_MOST_BYTES = 3500  # of the payload: push services take 4096 bytes after encryption


def send(outgoing: Outgoing) -> None:
    """Push each notice. Raises `TryAgain`, `GaveUp`."""
    for item in outgoing.items:
        body = _encrypted(payload(item, outgoing), outgoing.details)
        post(outgoing.target, body, _headers(item, outgoing.target), goes_for_good=True)


def _encrypted(text: bytes, keys: Mapping[str, str]) -> bytes:
    """The text for the browser that has sent these keys, by RFC 8291."""
    receiver, secret = (urlsafe_b64decode(keys[name] + "==") for name in ("p256dh", "auth"))
    sender = ec.generate_private_key(ec.SECP256R1())
    return bytes(http_ece.encrypt(text, private_key=sender, dh=receiver, auth_secret=secret))


def payload(item: Item, outgoing: Outgoing) -> bytes:
    """What the service worker gets. A lock screen shows it, so it has the text only if that may be shown there."""
    if outgoing.show_details:
        lines = [*lines_of(item.text), when(item, outgoing.zone)]
    else:
        lines = [when_seen_by_others(item, outgoing.zone)]
    shown = {"title": one_line(item.title), "body": "\n".join(lines), "url": item.path, "tag": item.id}
    made = json.dumps(shown).encode()
    while len(made) > _MOST_BYTES:
        shown["body"] = shown["body"][: len(shown["body"]) * 3 // 4].rstrip() + "…"
        made = json.dumps(shown).encode()
    return made


def _headers(item: Item, endpoint: str) -> dict[str, str]:
    event = events.EVENTS.get(item.event)
    is_urgent = event is None or event.urgent
    return {
        "Authorization": authorization(endpoint),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(_life(item)),
        "Topic": _topic(item),
        "Urgency": "high" if is_urgent else "normal",
    }


def _life(item: Item) -> int:
    """For how many seconds the push service keeps it while the browser is away: until it is no longer of use."""
    left = LONGEST_LIFE if item.by is None else item.by - clock.now()
    return int(min(max(left, SHORTEST_LIFE), LONGEST_LIFE).total_seconds())


def _topic(item: Item) -> str:
    """The same notice pushed again takes the place of the first. Topics have 32 letters of base64url at most."""
    return item.id[:32]
