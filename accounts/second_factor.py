"""Whether somebody still has to use or set up a second factor in this session, and the pages for it.

A session counts only if a factor that the person still has was used or set up in that very session. Otherwise somebody
who knows only the password could sign in first, set one up and remove it, and wait until the owner sets one up.
"""

import json
from collections.abc import Callable
from enum import Enum
from functools import cache
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_reset
from allauth.mfa.webauthn.forms import AddWebAuthnForm, LoginWebAuthnForm, ReauthenticateWebAuthnForm
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import escape_leading_slashes

from accounts.models import User, second_factor
from accounts.sign_in import page_of_form


class Owed(Enum):
    """What somebody has to do before anything else."""

    FACTOR = "to set up a second factor"
    PROOF = "to show the one they have, in this session"


_SET_UP = "second_factor_set_up"
"""Session key: the id of the factor that was set up in this session, or of its new recovery codes."""


def listen() -> None:
    authenticator_added.connect(_set_up, dispatch_uid="second factor set up in this session")
    authenticator_reset.connect(_renewed, dispatch_uid="recovery codes renewed in this session")


def owed(user: User, session: Any) -> Owed | None:
    """Return what this person still has to do in this session (a mapping), or None."""
    if not second_factor.is_asked_of_some():
        return None
    having = second_factor.what_they_have(user.pk)
    if not having.is_asked or (having.factor and _has_shown(user, session)):
        return None
    return Owed.PROOF if having.factor else Owed.FACTOR


def _has_shown(user: User, session: Any) -> bool:
    """Whether this person has used or set up in this session a factor that they still have."""
    shown = {session.get(_SET_UP), *(record.get("id") for record in _uses(user, session))} - {None}
    return bool(shown) and Authenticator.objects.filter(user_id=user.pk, pk__in=shown).exists()


def _set_up(request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any) -> None:
    """Count setting up a factor as using it: that takes its code, or the key itself."""
    if authenticator.type in second_factor.FACTORS and getattr(request, "user", None) == user:
        request.session[_SET_UP] = authenticator.pk


def _renewed(request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any) -> None:
    """Let new recovery codes stand for the ones used in this session, which are gone. They prove nothing in a session
    that has used none."""
    if any(record.get("type") == authenticator.type for record in _uses(user, request.session)):
        request.session[_SET_UP] = authenticator.pk


def _uses(user: User, session: Any) -> list[dict[str, Any]]:
    """allauth's records of the second factors that this person has used in this session."""
    request: Any = SimpleNamespace(session=session)
    return [record for record in get_authentication_records(request, user) if record["method"] == "mfa"]


# -- leading people there --------------------------------------------------------------------------------
# Whoever owes a second factor is sent to the page for it, and back afterwards.

CODE = "second_factor_required"
WORDS = "This site asks you for a second factor. Sign in on the site and set one up, or use the one you have."

ALWAYS_OPEN = ("account_logout", "privacy", "accessibility")
OPEN = {
    Owed.FACTOR: ("mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "account_reauthenticate"),
    # No page that adds a factor: this may be somebody who knows only the password.
    Owed.PROOF: ("mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
}
"""The URL names that stay open meanwhile; these pages show only how the person signs in."""

_THEN = "second_factor_then"
"""Session key: the page that they wanted, to which the two-factor overview sends them back."""


class SecondFactorMiddleware:
    """Sets `request.owed`, with which templates hide everything private. Belongs after AuthenticationMiddleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        request.owed = owed(user, request.session) if user.is_authenticated else None  # type: ignore[attr-defined]
        due: Owed | None = request.owed  # type: ignore[attr-defined]
        if due is None:
            on = request.session.pop(_THEN, "") if request.path == reverse("mfa_index") else ""
            return redirect(on) if on else self.get_response(request)
        if request.path in _open(due):
            return self.get_response(request)
        if request.path.startswith("/api/") and "Authorization" in request.headers:
            request.user = AnonymousUser()  # the token says who it is, not the session
            return self.get_response(request)
        return _led_away(request, due)


@cache
def _open(owed: Owed) -> frozenset[str]:
    return frozenset(reverse(name) for name in (*ALWAYS_OPEN, *OPEN[owed]))


def _led_away(request: HttpRequest, owed: Owed) -> HttpResponse:
    if request.path.startswith("/api/") or request.content_type == "application/json":
        return JsonResponse({"accepted": False, "code": CODE, "message": WORDS}, status=403)
    wanted, place = _wanted(request), _place(request, owed)
    if owed is Owed.PROOF:
        place = f"{place}?{urlencode({'next': wanted})}" if wanted else place
    elif wanted and request.session.get(_THEN) != wanted:
        request.session[_THEN] = wanted
    return redirect(place)


def _place(request: HttpRequest, owed: Owed) -> str:
    if owed is Owed.FACTOR:
        return reverse("mfa_index")
    has_app = Authenticator.objects.filter(user_id=request.user.pk, type=Authenticator.Type.TOTP).exists()
    return reverse("mfa_reauthenticate" if has_app else "mfa_reauthenticate_webauthn")


def _wanted(request: HttpRequest) -> str:
    """The page to return to: the one asked for, or the one with the form; empty for requests that no person made."""
    if request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate":
        return ""
    if request.method in ("GET", "HEAD"):
        return escape_leading_slashes(request.get_full_path())  # `//` would begin another site
    return page_of_form(request)


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
