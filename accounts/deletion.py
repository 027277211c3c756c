"""Export of all that is stored about a person, and deletion of their account.

The row of a deleted account stays, without name, email address or a way to sign in: the logs and ledgers of matches
point to it and must still prove what happened. Everything that belongs to the person alone is deleted. Other apps
register what they store about people (`register`, in `AppConfig.ready`), so this app need not know them.
"""

import secrets
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.db.models import Q

from accounts import pictures
from accounts.models import FormerName, Picture, QueuedMail, User
from accounts.models.user import stays_taken

NEUTRAL = "Former player"
"""Begins the name that is shown instead of a deleted account's; the account's number follows."""


class CannotLeave(Exception):
    """The account cannot be deleted yet; `reasons` are sentences for its owner."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(*reasons)
        self.reasons = reasons


class Part(NamedTuple):
    """What an app stores about people, and what it does when one of them leaves.

    `reasons`: sentences that say why somebody cannot leave yet. `leave(user, name)`: end their part and show `name`
    instead of theirs; must be safe to call again after an interruption. `left(user)`: called once the account has its
    new names. `own`: models whose rows with this `user` are deleted. `export`: their data as JSON.
    """

    topic: str
    reasons: Callable[[User], list[str]] = lambda user: []
    leave: Callable[[User, str], object] = lambda user, name: None
    left: Callable[[User], object] = lambda user: None
    own: Iterable[type[models.Model]] = ()
    export: Callable[[User], Any] | None = None


_parts: list[Part] = []


def register(part: Part) -> None:
    """Include this part in exports and deletions."""
    _parts.append(part)


def register_first(part: Part) -> None:
    """Like `register`, for an app whose part must end before the others', as a season's does before its matches'."""
    _parts.insert(0, part)


def why_not(user: User) -> list[str]:
    """Return why this account cannot be deleted yet, one sentence for each reason."""
    found = [sentence for part in _parts for sentence in part.reasons(user)]
    if user.is_superuser and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists():
        found.append("You are the only administrator. Make somebody else an administrator first.")
    return found


def delete(user: User) -> None:
    """Delete an account. Raises `CannotLeave`. If it is interrupted, the account is still there and can be deleted."""
    if reasons := why_not(user):
        raise CannotLeave(reasons)
    name = f"{NEUTRAL} {user.pk}"
    for part in _parts:
        part.leave(user, name)
    with transaction.atomic():
        stored = User.objects.select_for_update().get(pk=user.pk)
        if stored.username != user.username:
            return  # asked for twice, and done meanwhile
        for part in _parts:
            for table in part.own:
                table._default_manager.filter(user=stored).delete()
        _close(stored, name)
    for part in _parts:
        part.leave(stored, name)  # once more, for what they joined meanwhile in another tab
    for part in _parts:
        part.left(stored)


def _close(user: User, name: str) -> None:
    """Remove everything that identifies the person or lets them sign in."""
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    QueuedMail.objects.filter(to__in=addresses - {""}).delete()
    stays_taken(user.username, None)
    _forget_in_history(user, name, addresses)
    sessions = UserSession.objects.filter(user=user)
    Session.objects.filter(session_key__in=sessions.values_list("session_key", flat=True)).delete()
    for table in (EmailAddress, Authenticator, SocialAccount, UserSession, Picture):
        table._default_manager.filter(user=user).delete()
    user.api_tokens.all().delete()
    user.groups.clear()
    user.user_permissions.clear()
    before, user.username = user.username, _free_username(user)
    FormerName.remember(before, user.username, user.pk)
    FormerName.remember(user.display_name, name, user.pk)
    user.display_name, user.email, user.time_zone = name, "", "UTC"
    user.is_active = user.is_staff = user.is_superuser = False
    user.keeps_private = True
    user.set_unusable_password()
    user.save()  # tells all processes that access has ended


def _forget_in_history(user: User, name: str, addresses: set[str]) -> None:
    """Replace the account's name in the admin history; the entries stay."""
    kinds = ContentType.objects.get_for_models(User, EmailAddress, SocialAccount, UserSession)
    of_account = Q(content_type=kinds.pop(User), object_id=str(user.pk))
    for table, kind in kinds.items():
        numbers = table._default_manager.filter(user=user).values_list("pk", flat=True)
        of_account |= Q(content_type=kind, object_id__in=[str(pk) for pk in numbers])
    # Entries about addresses that were deleted earlier.
    of_account |= Q(content_type=kinds[EmailAddress], object_repr__in=addresses)
    LogEntry.objects.filter(of_account).update(object_repr=name)


def _free_username(user: User) -> str:
    wanted = f"former.player.{user.pk}"
    while User.objects.looks_taken(wanted, besides=user.pk):  # somebody may have signed up with that name
        wanted = f"former.player.{user.pk}.{secrets.token_hex(3)}"
    return wanted


def export(user: User) -> dict[str, Any]:
    """Return everything stored about a person, as JSON."""
    own = {
        "username": user.username,
        "display_name": user.display_name,
        "email": user.email,
        "addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "picture": pictures.export(user),
        "time_zone": user.time_zone,
        "theme": user.theme,
        "mark": user.mark,
        "hides_results": user.hides_results,
        "keeps_private": user.keeps_private,
        "is_bot": user.is_bot,
        "date_joined": user.date_joined,
        "last_login": user.last_login,
        "api_tokens": list(
            user.api_tokens.values(
                "name", "scope", "limited_to", "created_at", "expires_at", "last_used_at", "revoked_at"
            )
        ),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")),
        "signed_in": list(UserSession.objects.filter(user=user).values("ip", "user_agent", "created_at")),
        "elsewhere": list(SocialAccount.objects.filter(user=user).values("provider", "uid", "date_joined")),
    }
    return {"profile": own} | {part.topic: part.export(user) for part in _parts if part.export is not None}
