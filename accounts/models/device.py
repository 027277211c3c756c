"""Browsers in which somebody has signed in before."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from accounts.browsers import name_of
from accounts.models.user import User


class KnownDevice(models.Model):
    """A browser in which this person has signed in. It holds the secret, here is only the digest.

    Strangers who try passwords for an account cannot use up the tries of a known device.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="known_devices")
    digest = models.CharField(max_length=64)
    browser = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField("last signed in", default=timezone.now)

    class Meta:
        ordering = ["-used_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["digest", "user"], name="accounts_known_device_once")]

    def __str__(self) -> str:
        return name_of(self.browser)
