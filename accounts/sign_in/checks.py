"""The one place where passwords and codes that people type are looked at. Every try is counted first.

Whoever reads an answer must not learn whether an account exists. So a name that nobody has is counted like any other,
and costs the same time. An account has its own limit besides those of its names; that it is reached is not said, for it
would tell which names belong to one account: such a try is answered like a wrong password.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import datetime, timedelta

from allauth.core.internal.ratelimit import get_ip
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.sign_in import devices, events, tries
from accounts.sign_in.tries import Limit, TooMany

_LONGEST_NAME = 320  # an email address; what is longer is nobody's, and need not be put in order

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
OF_A_NAME, OF_AN_ACCOUNT, OF_AN_ADDRESS, OF_A_DEVICE = 10, 20, 20, 10
"""Wrong tries: a day with one username or email address, on one account whatever name was typed, and on a known device
of it; an hour from one address."""


def is_password(request: HttpRequest | None, user: User | None, password: str, typed: str = "") -> bool:
    """Whether this is the password of `user`; None is nobody, whose password is always wrong. `typed` is the name under
    which the person was looked for. Raises `TooMany`."""

    def is_right() -> bool:
        if user is None:
            make_password(password)  # takes as long as a comparison
            return False
        return user.check_password(password)

    try:
        return _counted(request, user, typed, is_right)
    except TooMany as refused:
        if refused.is_told:
            raise
        make_password(password)
        return False


def is_code(request: HttpRequest, user: User, is_right: Callable[[], bool]) -> bool:
    """Whether a second factor's code is right, as `is_right` says. Raises `TooMany`."""
    return _counted(request, user, "", is_right, of_codes=True)


def count_wrong(request: HttpRequest, kind: str) -> None:
    """Count a wrong secret that a program has sent, by where it comes from. Raises `TooMany`.

    What has 128 random bits and more is looked up before anything is counted: it cannot be guessed, and whoever has it
    is not kept out. These counts are apart from those of passwords, because programs ask on and on, from where their
    owner signs in.
    """
    try:
        tries.count([Limit(f"{kind} from address {get_ip(request)}", OF_AN_ADDRESS, HOUR)])
    except TooMany:
        events.note_failed(kind, None, "too many tries")
        raise
    events.note_failed(kind, None, "wrong")


def _counted(
    request: HttpRequest | None, user: User | None, typed: str, is_right: Callable[[], bool], *, of_codes: bool = False
) -> bool:
    kind = "code" if of_codes else "password"
    try:
        counted = tries.count(_limits(request, user, typed, of_codes))
    except TooMany:
        events.note_failed(kind, user, "too many tries")
        raise
    right = is_right()
    if right:
        tries.give_back(counted)
    else:
        events.note_failed(kind, user, "wrong")
    return right


def _limits(request: HttpRequest | None, user: User | None, typed: str, of_codes: bool) -> list[Limit]:
    """What this try counts against. A known device has tries of its own and no others, so no stranger uses them up."""
    kind = "codes" if of_codes else "passwords"
    name = unicodedata.normalize("NFKC", typed[:_LONGEST_NAME]).casefold()
    if device := _own_device(request, user):
        return [Limit(f"{kind} of {device}", OF_A_DEVICE, DAY)]
    account = f"account {user.pk}" if user else f"nobody {name}"
    limits = [Limit(f"{kind} of {account}", OF_AN_ACCOUNT, DAY, is_told=not name)]
    if name:
        limits.append(Limit(f"{kind} of name {name}", OF_A_NAME, DAY))
    if request is not None:
        limits.append(Limit(f"address {get_ip(request)}", OF_AN_ADDRESS, HOUR))
    return limits


def _own_device(request: HttpRequest | None, user: User | None) -> str:
    """What tells this person's browser from a stranger's: the known device, else that they are signed in there."""
    if request is None:
        return ""
    digest = devices.digest_of(request)
    known = devices.people_known_by(digest)  # asked for in any case: the time must not depend on who it is
    if user is None:
        return ""
    if user.pk in known:
        return f"device {digest} of {user.pk}"
    inside = getattr(request, "user", None)
    if inside is not None and inside.is_authenticated and inside.pk == user.pk:
        return f"session {request.session.session_key}"
    return ""


def refusal(error: TooMany, now: datetime | None = None) -> ValidationError:
    """What people read when a limit is reached."""
    wait = max(error.at - (now or timezone.now()), timedelta())
    minutes = int(wait.total_seconds() // 60) + 1
    hours, rest = divmod(minutes, 60)
    parts = [f"{number} {unit}{'s' if number != 1 else ''}" for number, unit in ((hours, "hour"), (rest, "minute"))]
    span = " and ".join(part for part in parts if not part.startswith("0 "))
    return ValidationError(
        f"Too many tries. You can try again in {span}. "
        "A browser in which you have signed in before is not held up by the tries of others.",
        code="too_many_login_attempts",
    )
