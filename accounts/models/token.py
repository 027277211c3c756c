"""A personal key for programs."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db import models
from django.utils import timezone

from accounts.models.user import User, tell_access_changed
from accounts.signals import Reason


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
    def issue(cls, user: User, name: str) -> tuple[ApiToken, str]:
        """Make a token; the secret is returned once and stored nowhere."""
        secret = cls.BEGINNING + secrets.token_urlsafe(32)
        token = cls.objects.create(user=user, name=name, prefix=secret[: cls.SHOWN], digest=cls.digest_of(secret))
        return token, secret

    @classmethod
    def find(cls, secret: str) -> ApiToken | None:
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
