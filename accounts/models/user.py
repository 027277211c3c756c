"""Users, the names that accounts have had, pictures, and queued mail. Usernames that look alike count as the same."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import nullcontext
from copy import copy
from typing import Any, ClassVar, NamedTuple, Self

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.marks import own_mark
from accounts.signals import Reason, access_changed
from accounts.validators import LONGEST_SKELETON, skeleton, validate_time_zone, validate_username, validate_visible

TAKEN = "This username is taken, or looks like one that is. Please choose another."


def digests_of(username: str) -> set[str]:
    """Return the keyed hashes under which a used username is stored: of its look as written, and in small letters,
    since links find usernames in any capitalisation."""
    looks = {skeleton(username), skeleton(username.lower())}
    return {salted_hmac("accounts.former_name", look, algorithm="sha256").hexdigest() for look in looks}


def _was_somebodys(username: str, besides: int = 0) -> bool:

    found = FormerName.objects.filter(digest__in=digests_of(username))
    return any(each.account is None or each.account != besides for each in found)


def stays_taken(username: str, account: int | None) -> None:
    """Reserve a username for this account (None: for nobody), as old links lead to it and logs name people by it."""

    for digest in digests_of(username):
        if not FormerName.objects.filter(digest=digest).exists():
            FormerName.objects.create(digest=digest, account=account)


class UserManager(DjangoUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> User:
        """Usernames are found in any capitalisation."""
        return self.get(username__iexact=username)

    def called(self, username: str) -> User | None:
        """Return the active account of this username, or None."""
        return self.filter(username__iexact=username, is_active=True).first()

    def looks_taken(self, username: str, besides: int = 0) -> bool:
        """Whether any account but `besides` (an id) has or had this username, or one that looks like it."""
        alike = self.filter(Q(username__iexact=username) | Q(skeleton=skeleton(username)))
        return alike.exclude(pk=besides).exists() or _was_somebodys(username, besides)


class User(AbstractUser):
    class Theme(models.TextChoices):
        AUTO = "auto", "As my device"
        LIGHT = "light", "Light"
        DARK = "dark", "Dark"

    username = models.CharField(
        "username",
        max_length=30,
        unique=True,
        validators=[validate_username],
        help_text="2 to 30 characters: letters, digits and _ . -",
        error_messages={"unique": TAKEN},
    )
    # Unique, so that if two people take names that look alike at the same moment, one is refused. Empty for people who
    # had such names before this was checked.
    skeleton = models.CharField(max_length=LONGEST_SKELETON, unique=True, null=True, editable=False)
    # One name as people write it: many names do not split into first and last.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(
        "display name",
        max_length=50,
        blank=True,
        validators=[validate_visible],
        help_text="What other people see. If you leave it empty, they see your username.",
    )
    time_zone = models.CharField(
        "time zone",
        max_length=64,
        default="UTC",
        validators=[validate_time_zone],
        help_text="We show deadlines in UTC and in this time zone.",
    )
    theme = models.CharField(
        "theme",
        max_length=5,
        choices=Theme.choices,
        default=Theme.AUTO,
        help_text="Light, dark, or as your device prefers.",
    )

    mark = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    """The shape and colour that they have chosen for all matches (`accounts.marks`)."""

    is_bot = models.BooleanField(
        "this account is a bot's",
        default=False,
        help_text="A program plays with this account. Everybody sees that beside its name. Hosts can keep bots out.",
    )

    keeps_private = models.BooleanField(
        "keep my public page empty",
        default=False,
        help_text="Your page then shows only your name. Other pages do not change.",
    )

    hides_results = models.BooleanField(
        "hide results until I click",
        default=False,
        help_text="Pages then ask before they show how a match or a season ended, except for your own matches.",
    )

    objects: ClassVar[UserManager] = UserManager()
    _password: str | None
    _was_active: bool | None
    _had_username: str | None
    _had_password: str | None

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"), name="accounts_username_unique_ignoring_case", violation_error_message=TAKEN
            )
        ]

    def __str__(self) -> str:
        return self.get_short_name()

    @property
    def own_mark(self) -> int:
        """Their mark, chosen or derived from the username."""
        return own_mark(self.username, self.mark)

    def get_full_name(self) -> str:
        return self.display_name or self.username

    def get_short_name(self) -> str:
        return self.get_full_name()

    @classmethod
    def from_db(cls, *args: Any, **kwargs: Any) -> Self:
        user = super().from_db(*args, **kwargs)
        user._remember()
        return user

    def _remember(self) -> None:
        """Remember the stored values, to notice changes; None for deferred fields."""
        self._was_active = self.__dict__.get("is_active")
        self._had_username = self.__dict__.get("username")
        self._had_password = self.__dict__.get("password")

    def _is_renamed(self) -> bool:
        had = getattr(self, "_had_username", None)
        return self._state.adding or (had is not None and had != self.username)

    def clean(self) -> None:
        super().clean()
        if self.username and self._is_renamed() and User.objects.looks_taken(self.username, besides=self.pk or 0):
            raise ValidationError({"username": ValidationError(TAKEN, code="username_taken")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        new_password = self.pk is not None and self._has_new_password()
        deactivated = getattr(self, "_was_active", None) and not self.is_active
        if self._is_renamed():
            self.skeleton = skeleton(self.username)
            if kwargs.get("update_fields") is not None:
                kwargs["update_fields"] = {*kwargs["update_fields"], "skeleton"}
        former = "" if self._state.adding or not self._is_renamed() else str(self._had_username)
        with transaction.atomic() if new_password or former else nullcontext():
            super().save(*args, **kwargs)
            if former:
                stays_taken(former, self.pk)
            if new_password:
                # A new password locks out everybody who knew the old one, and the tokens made with it.
                self.api_tokens.filter(revoked_at=None).update(revoked_at=timezone.now())
        self._remember()
        if new_password:
            tell_access_changed(self, Reason.NEW_PASSWORD)
        if deactivated:
            tell_access_changed(self, Reason.DEACTIVATED)

    def _has_new_password(self) -> bool:
        """Whether a password was set or taken away. At sign-in Django may only rehash it, which signs nobody out."""
        if self._password is not None:
            return True
        had = getattr(self, "_had_password", None)
        return had is not None and had != self.password and not self.has_usable_password()

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            stays_taken(self.username, None)
            tell_access_changed(self, Reason.DELETED)
            return super().delete(*args, **kwargs)


def tell_access_changed(user: User, reason: Reason, token: str = "") -> None:
    known = copy(user)  # after the commit the original may be deleted, without a pk
    transaction.on_commit(lambda: access_changed.send(sender=User, user=known, reason=reason, token=token))


# -- names of deleted accounts, and names from before an account was renamed -----------------------------


class NameNow(NamedTuple):
    """What to show instead of a name, and the account that had it."""

    shown: str
    account: int


class FormerName(models.Model):
    """A name that an account has had. Only a keyed hash is stored, never the name. There are two kinds of rows:

    Without `shown`, the hash of a username's look: only `account`, which was renamed, may take such a name again (None:
    nobody may), since logs name accounts by it. With `shown`, the hash of a name of the deleted `account`: where older
    records still have that name, pages show `shown` instead.
    """

    digest = models.CharField(max_length=64, db_index=True)
    account = models.PositiveBigIntegerField(null=True)
    shown = models.CharField(max_length=60, blank=True, default="", db_default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["digest", "account"], name="former_name_once_an_account")]

    def __str__(self) -> str:
        return self.digest[:8]

    @classmethod
    def remember(cls, name: str, shown: str, account: int) -> None:
        """Show a deleted account's name as `shown` from now on, in whatever that account took part."""
        if name:
            cls.objects.update_or_create(digest=_digest(name), account=account, defaults={"shown": shown})

    @classmethod
    def now(cls, names: Iterable[str]) -> list[tuple[str, NameNow]]:
        """Return those of these names that deleted accounts had, each with what to show instead, by account."""
        asked = {_digest(name): name for name in names}
        found = cls.objects.filter(digest__in=asked, account__isnull=False) if asked else ()
        return [(asked[each.digest], NameNow(each.shown, each.account or 0)) for each in found]


def _digest(name: str) -> str:
    return salted_hmac("accounts.shown_name", name, algorithm="sha256").hexdigest()


# -- pictures, which the site draws anew from what people upload ---------------------------------------------


def new_picture_token() -> str:
    """The unguessable end of a picture's address; each new picture gets another one."""
    return secrets.token_urlsafe(15)


class Picture(models.Model):
    """The picture of a person: `data` is a small PNG that the site has drawn, without metadata."""

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="picture")
    token = models.CharField(max_length=20, unique=True, default=new_picture_token)
    data = models.BinaryField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"picture of {self.user_id}"


class QueuedMail(models.Model):
    """A mail of the account pages to one address. A row is deleted once the mail was sent: it may hold a link that lets
    somebody in."""

    class Purpose(models.TextChoices):
        WRITTEN = "written", "Written, not sent yet"
        NEW_PASSWORD = "new_password", "Not written yet: somebody asked for a new password"

    to = models.CharField(max_length=254)
    purpose = models.CharField(max_length=20, choices=Purpose)
    subject = models.TextField(blank=True)
    text = models.TextField(blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.purpose} {self.pk}"
