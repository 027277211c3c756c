"""Signing in: its lines in the server's log, how long it lasts, and the way back to a form."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import structlog
from allauth.account import signals as of_accounts
from allauth.account.authentication import get_authentication_records
from allauth.mfa import signals as of_second_factors
from allauth.socialaccount import signals as of_other_sites
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.auth.views import redirect_to_login
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import escape_leading_slashes, url_has_allowed_host_and_scheme

from accounts.models import User
from accounts.signals import access_changed

# -- log lines -------------------------------------------------------------------------------------------
# Lines in the server's log about signing in, and about changes of how somebody signs in.
#
# A line names the account by its id, and the kind of proof. It never contains what somebody typed (people type
# passwords into name fields) nor an IP address; `request_id` leads to the other lines of the same request.

logger = structlog.get_logger(__name__)

_SIGNALS: dict[str, Signal] = {
    "signed_out": user_logged_out,
    "signed_up": of_accounts.user_signed_up,
    "password_changed": of_accounts.password_changed,
    "password_set": of_accounts.password_set,
    "password_reset": of_accounts.password_reset,
    "address_added": of_accounts.email_added,
    "address_confirmed": of_accounts.email_confirmed,
    "address_made_primary": of_accounts.email_changed,
    "address_removed": of_accounts.email_removed,
    "second_factor_added": of_second_factors.authenticator_added,
    "second_factor_removed": of_second_factors.authenticator_removed,
    "recovery_codes_renewed": of_second_factors.authenticator_reset,
    "other_site_connected": of_other_sites.social_account_added,
    "other_site_disconnected": of_other_sites.social_account_removed,
}


def listen_for_sign_in() -> None:
    """Connect the receivers that log these events."""
    of_accounts.user_logged_in.connect(_signed_in, dispatch_uid="log of sign-ins")
    access_changed.connect(_access_ended, dispatch_uid="log of ends of access")
    of_second_factors.authentication_failed.connect(_code_wrong, dispatch_uid="log of wrong codes")
    for event, signal in _SIGNALS.items():
        signal.connect(_writes(event), weak=False, dispatch_uid=f"log of {event}")


def note_failed(kind: str, user: User | None, reason: str) -> None:
    """Log that a password or code for this account (None if unknown) was wrong, or refused unseen."""
    logger.warning("sign_in_failed", kind=kind, account=user and user.pk, reason=reason)


def _code_wrong(user: User | None = None, **rest: Any) -> None:
    note_failed("code", user, "wrong")


def _signed_in(request: HttpRequest | None = None, user: User | None = None, **rest: Any) -> None:
    records = get_authentication_records(request, user) if request is not None else []
    logger.info("signed_in", account=user and user.pk, by=[record["method"] for record in records])


def _access_ended(user: User, reason: str, **rest: Any) -> None:
    logger.info("access_ended", account=user.pk, reason=str(reason))


def _writes(event: str) -> Callable[..., None]:
    def write(user: User | None = None, **told: Any) -> None:
        theirs = (getattr(told.get(name), "user", None) for name in ("email_address", "sociallogin", "socialaccount"))
        account = user or next(filter(None, theirs), None)
        factor = {"factor": told["authenticator"].type} if told.get("authenticator") else {}
        logger.info(event, account=account and account.pk, **factor)

    return write


# -- how long a sign-in lasts ----------------------------------------------------------------------------
# A sign-in lasts `SIGN_IN_DAYS`, or until its owner has been away for `AWAY_DAYS`.
#
# Django ends a session `SESSION_COOKIE_AGE` (which is `AWAY_DAYS`) after it was last stored, so a session in use is
# stored again once a day.

_BEGUN, _SEEN = "signed_in_at", "seen_at"
_A_DAY = timedelta(days=1).total_seconds()


def listen_for_lasting() -> None:
    user_logged_in.connect(_begin, dispatch_uid="beginning of a sign-in")


def _begin(request: HttpRequest | None = None, **rest: Any) -> None:
    if request is not None:
        request.session[_BEGUN] = request.session[_SEEN] = timezone.now().timestamp()


class LastingMiddleware:
    """Ends sign-ins that have lasted long enough, and keeps the others alive. Belongs after
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


# -- the way back to a form ------------------------------------------------------------------------------

_View = TypeVar("_View", bound=Callable[..., HttpResponse])


def page_of_form(request: HttpRequest) -> str:
    """Return the path and query of the page from which a form was sent; empty if it is another site's or unknown."""
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure()):
        return ""
    parts = urlsplit(came_from)
    return escape_leading_slashes(parts.path + (f"?{parts.query}" if parts.query else ""))


def form_login_required(view: _View) -> _View:
    """Like `login_required`, for a view that takes only POSTs: signing in leads back to the page with the form."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        page = page_of_form(request)
        # A refused form comes back at the address that takes only POSTs.
        return redirect_to_login(page if page and page != request.path else settings.LOGIN_REDIRECT_URL)

    return cast(_View, checked)
