"""The secret calendar addresses."""

import hashlib
import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac


def new_nonce() -> str:
    """128 random bits, from which an address is made."""
    return secrets.token_hex(16)


class CalendarAddress(models.Model):
    """The secret address at which calendar programs read a person's deadlines.

    The secret itself is not stored. It is made from `nonce` and the site's key, so that its owner can see it again, and
    found by its `digest`. A new nonce makes the old address useless.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_address")
    nonce = models.CharField(max_length=32, default=new_nonce)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"calendar {self.pk}"

    def renew(self) -> None:
        """Take a new secret."""
        self.nonce, self.made_at = new_nonce(), timezone.now()
        self.digest = self.digest_of(self._secret())

    @property
    def secret(self) -> str:
        """The secret part of the address; empty if the site has had another key since it was made."""
        secret = self._secret()
        return secret if self.digest_of(secret) == self.digest else ""

    def _secret(self) -> str:
        return salted_hmac("feeds.calendar", self.nonce, algorithm="sha256").hexdigest()[:48]

    @staticmethod
    def digest_of(secret: str) -> str:
        """What an address is looked up by, so that nobody can time whether a guess is close."""
        return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
