"""How long a sign-in lasts: `SIGN_IN_DAYS` from signing in, and less for whoever does not come for `AWAY_DAYS`.

Django ends a session `SESSION_COOKIE_AGE` (which is `AWAY_DAYS`) after it was stored, on pages and sockets
alike. So one that is used is stored once a day, and no more than that.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

_BEGUN, _SEEN = "signed_in_at", "seen_at"
_A_DAY = timedelta(days=1).total_seconds()


def listen() -> None:
    user_logged_in.connect(_begin, dispatch_uid="beginning of a sign-in")


def _begin(request: HttpRequest | None = None, **rest: Any) -> None:
    if request is not None:
        request.session[_BEGUN] = request.session[_SEEN] = timezone.now().timestamp()


class LastingMiddleware:
    """Ends sign-ins that have lasted long enough, and notes that the others are used. Belongs after
    AuthenticationMiddleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            _go_on(request)
        return self.get_response(request)


def _go_on(request: HttpRequest) -> None:
    session, now = request.session, timezone.now().timestamp()
    begun = session.get(_BEGUN, now)
    left = begun + timedelta(days=settings.SIGN_IN_DAYS).total_seconds() - now
    if left <= 0:
        logout(request)
    elif now - session.get(_SEEN, 0) >= _A_DAY:
        session[_BEGUN], session[_SEEN] = begun, now
        if not session.get_expire_at_browser_close():
            session.set_expiry(int(min(left, timedelta(days=settings.AWAY_DAYS).total_seconds())))
