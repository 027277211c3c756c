"""Mails of the account pages that have yet to be sent."""

from django.db import models
from django.utils import timezone


class QueuedMail(models.Model):
    """A mail to one address. A row is deleted once the mail was sent: it may hold a link that lets somebody in."""

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
