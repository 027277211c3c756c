import hashlib
import secrets
from copy import copy
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.signals import Reason, access_changed
from accounts.validators import validate_time_zone, validate_username


class UserManager(DjangoUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """Nobody should have to remember how they capitalised their own name."""
        return self.get(username__iexact=username)


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
        error_messages={"unique": "This username is taken. Please choose another one."},
    )
    # One name as people write it; the split into first and last fits too few of them.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(
        "display name",
        max_length=50,
        blank=True,
        help_text="What other people see. Left empty, they see your username.",
    )
    time_zone = models.CharField(
        "time zone",
        max_length=64,
        default="UTC",
        validators=[validate_time_zone],
        help_text="Deadlines are shown in UTC and in this zone.",
    )
    theme = models.CharField(
        "theme",
        max_length=5,
        choices=Theme.choices,
        default=Theme.AUTO,
        help_text="Light, dark, or as your device prefers.",
    )

    objects: ClassVar[UserManager] = UserManager()
    _password: str | None
    _was_active: bool | None

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="accounts_username_unique_ignoring_case",
                violation_error_message="This username is taken. Please choose another one.",
            ),
        ]

    def __str__(self) -> str:
        return self.get_short_name()

    def get_full_name(self) -> str:
        return self.display_name or self.username

    def get_short_name(self) -> str:
        return self.get_full_name()

    @classmethod
    def from_db(cls, *args: Any, **kwargs: Any) -> Self:
        user = super().from_db(*args, **kwargs)
        user._was_active = user.__dict__.get("is_active")  # absent when deferred: then we cannot tell
        return user

    def save(self, *args: Any, **kwargs: Any) -> None:
        # `_password` holds a password set but not yet saved. Django empties it when it merely
        # re-hashes an old one at sign-in, which is no reason to throw anybody out.
        new_password = self.pk is not None and self._password is not None
        deactivated = getattr(self, "_was_active", None) and not self.is_active
        super().save(*args, **kwargs)
        self._was_active = self.is_active
        if new_password:
            tell_access_changed(self, Reason.NEW_PASSWORD)
        if deactivated:
            tell_access_changed(self, Reason.DEACTIVATED)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            tell_access_changed(self, Reason.DELETED)
            return super().delete(*args, **kwargs)


def tell_access_changed(user: User, reason: Reason) -> None:
    known = copy(user)  # by the time of the commit the original may be deleted, and its pk gone
    transaction.on_commit(lambda: access_changed.send(sender=User, user=known, reason=reason))


class ApiToken(models.Model):
    """A personal key for programs. We keep its digest only: nobody can read it here again.

    The secret has 256 random bits, so one round of SHA-256 is enough; slow hashes are for what
    people make up themselves, and would cost every API call a tenth of a second.
    """

    BEGINNING = "gen_"  # so that secret scanners and people know one when they see it
    SHOWN = 8
    # A write on every call would make reading the API compete with the bids for the database.
    TOUCH_EVERY = timedelta(minutes=10)

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField("name", max_length=60, help_text="What will use it, for example “my phone's widget”.")
    prefix = models.CharField("begins with", max_length=SHOWN, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField("made", default=timezone.now, editable=False)
    last_used_at = models.DateTimeField("last used", null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField("revoked", null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "API token"
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @classmethod
    def issue(cls, user: User, name: str) -> tuple["ApiToken", str]:
        """Make a token; the secret is returned once and stored nowhere."""
        secret = cls.BEGINNING + secrets.token_urlsafe(32)
        token = cls.objects.create(user=user, name=name, prefix=secret[: cls.SHOWN], digest=cls.digest_of(secret))
        return token, secret

    @classmethod
    def find(cls, secret: str) -> "ApiToken | None":
        """The living token behind this secret, with its active user, in one query."""
        if not secret.startswith(cls.BEGINNING):
            return None
        return (
            cls.objects.select_related("user")
            .filter(digest=cls.digest_of(secret), revoked_at=None, user__is_active=True)
            .first()
        )

    @staticmethod
    def digest_of(secret: str) -> str:
        # Secrets come from request headers: an odd character must be a no, not a crash.
        return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

    def touch(self) -> None:
        """Note that it was used, at most once in a while."""
        now = timezone.now()
        if self.last_used_at is None or now - self.last_used_at >= self.TOUCH_EVERY:
            self.last_used_at = now
            self.save(update_fields=["last_used_at"])

    def revoke(self) -> None:
        if self.revoked_at is None:
            self.revoked_at = timezone.now()
            self.save(update_fields=["revoked_at"])
            tell_access_changed(self.user, Reason.REVOKED_TOKEN)
