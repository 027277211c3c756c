"""Links an account on the chat server with one here, by a code that is shown on the site and typed in the chat."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from accounts.models import User
from accounts.signals import Reason
from chat_commands.models import ChatAccount, LinkCode, LinkTry, SeenInteraction
from chat_commands.signatures import FRESH_SECONDS, NotTaken

CODE_LASTS = timedelta(minutes=10)
MOST_TRIES = 5
"""Codes that one chat account may try in the time for which a code lasts."""

MOST_TRIES_OF_ALL = 200
_LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
_LENGTH = 10  # 47 bits


class NotLinked(Exception):
    """A code that links nothing. The text is for the person who typed it."""


def is_on() -> bool:
    """Whether this site takes commands from a chat server."""
    return bool(settings.CHAT_PUBLIC_KEY and settings.CHAT_APPLICATION_ID)


def new_code(user: Any, now: datetime) -> str:
    """A new code for this person, which is stored nowhere; the one before no longer works."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    values = {"digest": _digest(code), "expires_at": now + CODE_LASTS}
    LinkCode.objects.update_or_create(user=user, defaults=values)
    return f"{code[:5]}-{code[5:]}"


def link(chat_id: str, typed: str, now: datetime) -> User:
    """Link a chat account with whoever was shown this code; links that either of them had before end. Raises
    `NotLinked`."""
    _count_try(chat_id, now)
    with transaction.atomic():
        _take_turns(now)
        code = LinkCode.objects.filter(digest=_digest(typed), expires_at__gt=now).select_related("user").first()
        # Of two who type the same code at once only one finds it.
        if code is None or not LinkCode.objects.filter(pk=code.pk, digest=code.digest).delete()[0]:
            raise NotLinked("That is not a valid code. Get a new one on the site: Profile, Chat.")
        if not code.user.is_active:
            raise NotLinked("That account is closed.")
        ChatAccount.objects.filter(chat_id=chat_id).delete()
        ChatAccount.objects.update_or_create(user=code.user, defaults={"chat_id": chat_id, "linked_at": now})
        return code.user


def _count_try(chat_id: str, now: datetime) -> None:
    """Outside the transaction of the link: a refused try counts as well."""
    with transaction.atomic():
        LinkTry.objects.filter(at__lte=now - CODE_LASTS).delete()
        of_all = LinkTry.objects.count()
        if LinkTry.objects.filter(chat_id=chat_id).count() >= MOST_TRIES or of_all >= MOST_TRIES_OF_ALL:
            raise NotLinked("You tried too many codes. Wait ten minutes, then get a new code.")
        LinkTry.objects.create(chat_id=chat_id, at=now)


def _take_turns(now: datetime) -> None:
    """Inside a transaction: wait until no other link is being made. Otherwise two codes that one chat account types at
    once would both find no older link to delete, and two people who swap their chat accounts would deadlock.

    The lock is on all recent tries, which are `MOST_TRIES_OF_ALL` at most: each link has stored a try of its own before
    it comes here, so any two of them have a row in common.
    """
    tries = LinkTry.objects.select_for_update().filter(at__gt=now - CODE_LASTS)
    list(tries.order_by("pk").values_list("pk", flat=True))


def unlink(user: Any) -> bool:
    """End a person's link; whether there was one."""
    LinkCode.objects.filter(user=user).delete()
    return ChatAccount.objects.filter(user=user).delete()[0] > 0


def person_of(chat_id: str) -> User | None:
    """Who is linked with a chat account; None for nobody, and for a closed account."""
    found = ChatAccount.objects.filter(chat_id=chat_id, user__is_active=True).select_related("user").first()
    return found.user if found else None


def export(user: Any) -> list[dict[str, Any]]:
    """The chat account that is linked with a person, for them to take along."""
    return [dict(each) for each in ChatAccount.objects.filter(user=user).values("chat_id", "linked_at")]


def on_access_changed(sender: object, *, user: Any, reason: Reason, **_: Any) -> None:
    """A new password ends the link, as it ends tokens; so does a closed account."""
    if reason in (Reason.NEW_PASSWORD, Reason.DEACTIVATED):
        unlink(user)


def _digest(code: str) -> str:
    plain = "".join(letter for letter in code.upper() if letter in _LETTERS)
    return salted_hmac("chat_commands.code", plain, algorithm="sha256").hexdigest()


# -- seen ------------------------------------------------------------------------------------------------
# Each interaction is taken once.

_KEPT = timedelta(seconds=4 * FRESH_SECONDS)


def take(interaction_id: str, now: datetime) -> None:
    """Note that it was received. Raises `NotTaken` if it was received before."""
    try:
        with transaction.atomic():
            SeenInteraction(interaction_id=interaction_id, at=now).save(force_insert=True)
    except IntegrityError:
        raise NotTaken(400, "seen_before", "This was received before.") from None


def forget(now: datetime) -> None:
    """Forget those that are too old to be sent again: their timestamp would be refused."""
    SeenInteraction.objects.filter(at__lt=now - _KEPT).delete()
