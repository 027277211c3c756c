"""The cookie that tells a browser in which somebody has signed in before.

It is a random secret, signed, so that one that was made up is never looked for. One browser may be known to several
accounts. It signs nobody in: it only gives the browser tries of its own.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.cookies import name_of
from accounts.models import KnownDevice, User

LASTS = timedelta(days=365)
MOST = 20
"""How many devices an account remembers: those used last."""

_SALT = "accounts.device"


def cookie() -> str:
    """The cookie's name."""
    return name_of("device")


def digest_of(request: HttpRequest) -> str:
    """What the request's cookie is stored as; empty without one, or if it is not ours or too old."""
    try:
        secret = signing.loads(request.COOKIES.get(cookie(), ""), salt=_SALT, max_age=LASTS)
    except signing.BadSignature:
        return ""
    return hashlib.sha256(str(secret).encode()).hexdigest()


def people_known_by(digest: str) -> frozenset[int]:
    """The ids of those who have signed in with this device."""
    return frozenset(KnownDevice.objects.filter(digest=digest).values_list("user_id", flat=True) if digest else ())


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let this browser be a known device of this person from now on."""
    digest = digest_of(request)
    if not digest:
        secret = secrets.token_urlsafe(32)
        digest = hashlib.sha256(secret.encode()).hexdigest()
    else:
        secret = signing.loads(request.COOKIES[cookie()], salt=_SALT)
    browser = request.headers.get("User-Agent", "")[:200]
    # One statement: between two, a new password may delete the row that was found there.
    KnownDevice.objects.bulk_create(
        [KnownDevice(user=user, digest=digest, used_at=timezone.now(), browser=browser)],
        update_conflicts=True,
        unique_fields=["digest", "user"],
        update_fields=["used_at", "browser"],
    )
    kept = user.known_devices.values_list("pk", flat=True)[:MOST]
    user.known_devices.exclude(pk__in=list(kept)).delete()
    response.set_cookie(
        cookie(),
        signing.dumps(secret, salt=_SALT),  # signed again, so that it lasts as long again
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def tidy(now: datetime) -> None:
    """Forget the devices whose cookies no longer count."""
    KnownDevice.objects.filter(used_at__lt=now - LASTS).delete()
