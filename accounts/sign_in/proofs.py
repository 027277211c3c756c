"""When somebody has proved who they are in a browser: the middleware then makes it a known device of theirs.

A new password makes an account forget all devices (`User.save`), also those of whoever knew the old one. The browser in
which it was chosen has just proved to be the owner's, by the old password or by a link from a letter.
"""

from __future__ import annotations

from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.signals import password_changed, password_reset, password_set
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest

from accounts.models import User


def listen() -> None:
    for signal in (user_logged_in, password_changed, password_set, password_reset):
        signal.connect(_note, dispatch_uid="known device")


def count(request: HttpRequest) -> int:
    """How often somebody has proved in this session who they are; 0 for those who are not signed in."""
    user = request.user
    return len(get_authentication_records(request, user)) if user.is_authenticated else 0


def renew_session_key(request: HttpRequest) -> None:
    """The same session by another key, in the list of sign-ins too."""
    before = request.session.session_key
    request.session.cycle_key()
    UserSession.objects.filter(session_key=before).update(session_key=request.session.session_key)


def _note(request: HttpRequest | None = None, user: User | None = None, **rest: Any) -> None:
    if request is not None:
        request.signed_in_as = user  # type: ignore[attr-defined]
