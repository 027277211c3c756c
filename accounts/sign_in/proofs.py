"""When somebody has proved who they are in a browser: the middleware then makes it a known device of theirs.

A new password makes an account forget all devices (`User.save`), also those of whoever knew the old one. The browser in
which it was chosen has just proved to be the owner's, by the old password or by a link from a letter.
"""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest

from accounts.models import User


def listen() -> None:
    for signal in (user_logged_in, password_changed, password_set, password_reset):
        signal.connect(_note, dispatch_uid="known device")


def _note(request: HttpRequest | None = None, user: User | None = None, **rest: Any) -> None:
    if request is not None:
        request.signed_in_as = user  # type: ignore[attr-defined]
