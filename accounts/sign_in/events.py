"""Lines in the server's log about signing in, and about changes of how somebody signs in.

A line names the account by its number and the kind of proof. It never has what somebody typed (people type passwords
into fields of names), and no address; `request_id` leads to the other lines of the same request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from allauth.account import signals as of_accounts
from allauth.account.authentication import get_authentication_records
from allauth.mfa import signals as of_second_factors
from allauth.socialaccount import signals as of_other_sites
from django.contrib.auth.signals import user_logged_out
from django.dispatch import Signal
from django.http import HttpRequest

from accounts.models import User
from accounts.signals import access_changed

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


def listen() -> None:
    """Write these events to the site's log from now on."""
    of_accounts.user_logged_in.connect(_signed_in, dispatch_uid="log of sign-ins")
    access_changed.connect(_access_ended, dispatch_uid="log of ends of access")
    of_second_factors.authentication_failed.connect(_code_wrong, dispatch_uid="log of wrong codes")
    for event, signal in _SIGNALS.items():
        signal.connect(_writes(event), weak=False, dispatch_uid=f"log of {event}")


def note_failed(kind: str, user: User | None, reason: str) -> None:
    """A password or code of this account, or of nobody's, was wrong, or not even looked at."""
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
