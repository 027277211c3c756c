"""What people wrote, whom they named, and what was reported. Nothing of it is ever deleted or changed; hosts can hide a
message."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q


def new_token() -> str:
    """A random name for a message. A number would show how much others write."""
    return secrets.token_urlsafe(9)


class Message(models.Model):
    """One message. The author's name and role are kept as they were; `player` is empty for everybody else, and once
    somebody has left the match before its beginning."""

    class Role(models.TextChoices):
        PLAYER = "player", "player"
        HOST = "host", "host"
        SPECTATOR = "spectator", "watching"

    # Without a constraint, as in `Channel`.
    match = models.ForeignKey(
        "matches.Match", on_delete=models.CASCADE, related_name="messages", db_index=False, db_constraint=False
    )
    channel = models.ForeignKey("talk.Channel", on_delete=models.CASCADE, related_name="messages", db_index=False)
    token = models.CharField(max_length=12, unique=True, default=new_token)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey("matches.Player", on_delete=models.SET_NULL, null=True, related_name="+")
    role = models.CharField(max_length=9, choices=Role)
    name = models.CharField(max_length=50)
    text = models.TextField()
    at = models.DateTimeField()
    key = models.CharField(max_length=100, blank=True)
    hidden_at = models.DateTimeField(null=True)
    hidden_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    hidden_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["channel", "-id"], name="message_of_channel"),
            models.Index(fields=["match", "-id"], name="message_of_match"),
            # How much somebody has written lately (services/posting.py).
            models.Index(fields=["author", "at"], name="message_of_author"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["author", "match", "key"], condition=~Q(key=""), name="message_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.token} of {self.name}"


class Mention(models.Model):
    """Somebody who was named in a message (@handle) that they can read."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="mentions", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)

    class Meta:
        indexes = [models.Index(fields=["user", "-id"], name="mention_of_user")]
        constraints = [models.UniqueConstraint(fields=["message", "user"], name="mention_once_a_message")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.message_id}"


class Report(models.Model):
    """A reader shows a message to the hosts."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="reports", db_index=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()
    # What hosts decided: hidden, or left as it is. Empty: nobody has looked at it yet.
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "by"], name="report_once_a_reader")]

    def __str__(self) -> str:
        return f"{self.message_id} by {self.by_id}"
