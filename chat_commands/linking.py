"""Links a chat account with an account here, by a code that the site shows and the person types in the chat."""

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from accounts.models import User
from accounts.signals import Reason
from chat_commands.models import ChatAccount
from chat_commands.signatures import FRESH_SECONDS, NotTaken
from matches.services.errors import Busy, retrying

CODE_LASTS = timedelta(minutes=10)
MOST_TRIES, MOST_TRIES_OF_ALL = 5, 200
"""How many codes one chat account may try, and all together, within `CODE_LASTS`."""

_LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
_LENGTH = 10  # 47 bits
_NOT_VALID = "That is not a valid code. Get a new one on the site: Profile, Chat."


class NotLinked(Exception):
    """The code is not valid. The text is for the person who typed it."""


def is_on() -> bool:
    """Whether this site accepts commands from a chat server."""
    return bool(settings.CHAT_PUBLIC_KEY and settings.CHAT_APPLICATION_ID)


def new_code(user: Any, now: datetime) -> str:
    """Return a new code for this person; an earlier one stops working. Only its digest is stored, in the cache."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    cache.set(_of_person(user.pk), _digest(code), _SECONDS)
    cache.set(_of_code(_digest(code)), (user.pk, now + CODE_LASTS), _SECONDS)
    return f"{code[:5]}-{code[5:]}"


def link(chat_id: str, typed: str, now: datetime) -> User:
    """Link a chat account with the person who was shown this code, ending earlier links of both. Raises `NotLinked`."""
    _count_try(chat_id, now)
    digest = _digest(typed)
    user_id, expires_at = cache.get(_of_code(digest)) or (0, now)
    # Only one of two who type the same code at once deletes it.
    if expires_at <= now or cache.get(_of_person(user_id)) != digest or not cache.delete(_of_code(digest)):
        raise NotLinked(_NOT_VALID)
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        raise NotLinked("That account is closed.")
    try:
        _store(user, chat_id, now)
    except (IntegrityError, Busy):  # the same chat account is using another code at this moment
        raise NotLinked(_NOT_VALID) from None
    return user


@retrying
def _store(user: User, chat_id: str, now: datetime) -> None:
    with transaction.atomic():
        ChatAccount.objects.filter(chat_id=chat_id).delete()
        ChatAccount.objects.update_or_create(user=user, defaults={"chat_id": chat_id, "linked_at": now})


def _count_try(chat_id: str, now: datetime) -> None:
    window = int(now.timestamp() // _SECONDS)
    for key, most in ((f"chat.tries.{window}.{chat_id}", MOST_TRIES), (f"chat.tries.{window}", MOST_TRIES_OF_ALL)):
        cache.add(key, 0, 2 * _SECONDS)
        with suppress(ValueError):  # the cache is down
            if cache.incr(key) > most:
                raise NotLinked("You have tried too many codes. Wait ten minutes, then get a new code.")


def unlink(user: Any) -> bool:
    """End a person's link; return whether there was one."""
    cache.delete(_of_person(user.pk))
    return ChatAccount.objects.filter(user=user).delete()[0] > 0


def person_of(chat_id: str) -> User | None:
    """Return the person who is linked with a chat account; None without one, or if the account is closed."""
    found = ChatAccount.objects.filter(chat_id=chat_id, user__is_active=True).select_related("user").first()
    return found.user if found else None


def export(user: Any) -> list[dict[str, Any]]:
    """Return a person's linked chat account, for the export of their account."""
    return [dict(each) for each in ChatAccount.objects.filter(user=user).values("chat_id", "linked_at")]


def on_access_changed(sender: object, *, user: Any, reason: Reason, **_: Any) -> None:
    """End the link on a new password, as tokens end then, and when an account is closed."""
    if reason in (Reason.NEW_PASSWORD, Reason.DEACTIVATED):
        unlink(user)


_SECONDS = CODE_LASTS.total_seconds()


def _of_person(user_id: int) -> str:
    return f"chat.code_of.{user_id}"


def _of_code(digest: str) -> str:
    return f"chat.code.{digest}"


def _digest(code: str) -> str:
    plain = "".join(letter for letter in code.upper() if letter in _LETTERS)
    return salted_hmac("chat_commands.code", plain, algorithm="sha256").hexdigest()


# -- each interaction is accepted once -------------------------------------------------------------------


def take(interaction_id: str) -> None:
    """Record an interaction until its timestamp would be refused. Raises `NotTaken` if it was received before."""
    if not cache.add(f"chat.seen.{interaction_id}", True, 4 * FRESH_SECONDS):
        raise NotTaken(400, "seen_before", "The site has already received this.")
