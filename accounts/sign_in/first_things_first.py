"""Leads whoever owes a second factor (`required`) to the page for it before anything else, and back afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import escape_leading_slashes, url_has_allowed_host_and_scheme

from accounts.sign_in import required
from accounts.sign_in.required import Owed

CODE = "second_factor_required"
WORDS = "This site asks you for a second factor. Sign in on the site and set one up, or show the one that you have."

ALWAYS_OPEN = ("account_logout", "privacy", "accessibility")
OPEN = {
    Owed.FACTOR: ("mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "account_reauthenticate"),
    # No page by which a factor could be added: somebody may be here who knows the password alone.
    Owed.PROOF: ("mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
}
"""The names of the pages that are open meanwhile. They show nothing of their person but how they sign in."""

_THEN = "second_factor_then"
"""In a session: where they wanted to go, and go once they are back at the overview."""


class SecondFactorMiddleware:
    """`request.owed` says what the person owes; templates then show nothing that is theirs. Belongs after
    AuthenticationMiddleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        request.owed = required.owed(user, request.session) if user.is_authenticated else None  # type: ignore[attr-defined]
        owed: Owed | None = request.owed  # type: ignore[attr-defined]
        if owed is None:
            on = request.session.pop(_THEN, "") if request.path == reverse("mfa_index") else ""
            return redirect(on) if on else self.get_response(request)
        if request.path in _open(owed):
            return self.get_response(request)
        if request.path.startswith("/api/") and "Authorization" in request.headers:
            request.user = AnonymousUser()  # the token says who it is
            return self.get_response(request)
        return _led_away(request, owed)


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
    """The page that was asked for, or from which a form came; empty for what no person asked for, such as a script."""
    if request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate":
        return ""
    if request.method in ("GET", "HEAD"):
        return escape_leading_slashes(request.get_full_path())  # `//` would begin another site
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure()):
        return ""
    parts = urlsplit(came_from)
    return escape_leading_slashes(parts.path + (f"?{parts.query}" if parts.query else ""))
