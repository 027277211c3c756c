"""Where people want to hear of things."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q


def new_token() -> str:
    """A random name for an address."""
    return secrets.token_urlsafe(12)


class Address(models.Model):
    """One way to reach one person.

    `target`: empty for e-mail (the confirmed primary address as it is when something is sent), a push subscription's
    endpoint, a webhook's URL. `details` has what the channel needs besides: keys, the form of the body. `failures`:
    how many times in a row, since `failing_since`, nothing got through. `rests_until`: it is left alone until then.
    `stopped_at`: nothing is sent there any more, because of `last_error`.
    """

    class Channel(models.TextChoices):
        EMAIL = "email", "E-mail"
        PUSH = "push", "Push"
        WEBHOOK = "webhook", "Webhook"

    token = models.CharField(max_length=20, unique=True, default=new_token, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="addresses")
    channel = models.CharField(max_length=8, choices=Channel)
    target = models.CharField(max_length=1000, blank=True)
    label = models.CharField(max_length=80, blank=True)
    details = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    last_sent_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)
    last_error_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    rests_until = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["user", "channel", "target"], name="address_once")]
        indexes = [models.Index(fields=["target"], condition=Q(channel="push"), name="address_of_browser")]

    def __str__(self) -> str:
        return f"{self.channel} of {self.user_id}"
