"""The secret calendar addresses, and the events that were given to calendars."""

import hashlib
import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac

from matches.models import Match


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


class CalendarEvent(models.Model):
    """A deadline of a match as it was given at a calendar address last.

    Calendar programs must be told what has changed since they last asked (`sequence` rises with every change) and what
    has been withdrawn, so what they were told is kept. `key` names the deadline: its match time in microseconds, which
    stays the same however often the match is paused or extended, or `start`. `head` is how long the match's log was.
    A `settled` event is over, and never changes any more.
    """

    class Status(models.TextChoices):
        CONFIRMED = "CONFIRMED"
        TENTATIVE = "TENTATIVE"
        CANCELLED = "CANCELLED"

    address = models.ForeignKey(CalendarAddress, on_delete=models.CASCADE, related_name="events", db_index=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=20)
    at = models.DateTimeField()
    status = models.CharField(max_length=9, choices=Status)
    summary = models.CharField(max_length=200)
    description = models.TextField()
    sequence = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    head = models.PositiveIntegerField(default=0)
    settled = models.BooleanField(default=False)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["address", "match", "key"], name="calendar_event_once")]

    def __str__(self) -> str:
        return f"{self.key} of {self.match_id}"
