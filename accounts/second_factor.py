"""Whether somebody still has to use or set up a second factor in this session.

A session counts only if the factor was used or set up in that very session. Otherwise somebody who knows only the
password could sign in first and wait until the owner sets one up.
"""

import json
from enum import Enum
from types import SimpleNamespace
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.mfa.webauthn.forms import AddWebAuthnForm, LoginWebAuthnForm, ReauthenticateWebAuthnForm
from django.http import HttpRequest

from accounts.models import User, second_factor


class Owed(Enum):
    """What somebody has to do before anything else."""

    FACTOR = "to set up a second factor"
    PROOF = "to show the one they have, in this session"


_SET_UP = "second_factor_set_up"
"""Session key: the id of the person who set up a factor in this session."""


def listen() -> None:
    authenticator_added.connect(_set_up, dispatch_uid="second factor set up in this session")


def owed(user: User, session: Any) -> Owed | None:
    """Return what this person still has to do in this session (a mapping), or None."""
    return owed_by(user.pk, has_shown=has_shown(user, session)) if second_factor.is_asked_of_some() else None


def owed_by(user_id: int, *, has_shown: bool) -> Owed | None:
    """Like `owed`, for a session in which a second factor was used (`has_shown`) or not."""
    if not second_factor.is_asked_of_some():
        return None
    having = second_factor.what_they_have(user_id)
    if not having.is_asked or (having.factor and has_shown):
        return None
    return Owed.PROOF if having.factor else Owed.FACTOR


def has_shown(user: User, session: Any) -> bool:
    """Whether this person has used or set up a second factor in this session."""
    request: Any = SimpleNamespace(session=session)
    records = get_authentication_records(request, user)
    return session.get(_SET_UP) == user.pk or any(record["method"] == "mfa" for record in records)


def _set_up(request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any) -> None:
    """Count setting up a factor as using it: that takes its code, or the key itself."""
    if authenticator.type in second_factor.FACTORS and getattr(request, "user", None) == user:
        request.session[_SET_UP] = user.pk


# -- allauth's forms for security keys, in the site's words ----------------------------------------------


class _Decoder(json.JSONDecoder):
    """Turns every error into `JSONDecodeError`, the only one that Django's field expects."""

    def decode(self, text: str, *args: Any) -> Any:
        try:
            return super().decode(text, *args)
        except (ValueError, RecursionError) as error:
            raise json.JSONDecodeError(str(error), "", 0) from error


class _KeyForm:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"].decoder = _Decoder  # type: ignore[attr-defined]


class LoginKeyForm(_KeyForm, LoginWebAuthnForm):
    pass


class ReauthenticateKeyForm(_KeyForm, ReauthenticateWebAuthnForm):
    pass


class AddKeyForm(_KeyForm, AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["passwordless"]
        field.label = "Sign in with this key alone, as a passkey"
        field.help_text = "You then need no username or password. The key must check a PIN, fingerprint or face."
