"""This site's key for Web Push (VAPID, RFC 8292): push services accept posts for a browser only from the site for which
it subscribed.

The key comes from the environment, or is made once and kept in DATA_DIR. With another key every browser has to
subscribe again.
"""

from __future__ import annotations

import base64
import time
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from genius_site.private_files import kept

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
