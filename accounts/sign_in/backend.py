"""The backend that looks at passwords, for every page and program that asks Django to authenticate somebody."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.models import User
from accounts.sign_in import checks


class CountedPasswords(AuthenticationBackend):
    """Looks at one password once, after it was counted.

    It is the first backend and ends the search by `PermissionDenied`. Those after it stay in the settings for the
    sessions that were begun with them.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User:
        """The person, or `PermissionDenied`. Raises `TooMany`. A closed account's person is stashed: see allauth."""
        typed = str(credentials.get("email") or credentials.get("username") or "").strip()
        password = credentials.get("password")
        if not typed or not password:
            raise PermissionDenied
        user = _named(typed)
        if not checks.is_password(request, user, password, typed) or user is None:
            raise PermissionDenied
        if not self.user_can_authenticate(user):
            self._stash_user(user)
            raise PermissionDenied
        return user


def _named(typed: str) -> User | None:
    """Whose username or email address this is. Of several with an unconfirmed address, it is the oldest account."""
    if "@" not in typed:
        named: User | None = get_user_by_username(typed)
        return named
    found: list[User] = filter_users_by_email(typed, prefer_verified=True, for_login=True)
    return min(found, key=lambda user: user.pk, default=None)
