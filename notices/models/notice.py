"""Notices: what one person is told because of one thing that happened."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q


def new_token() -> str:
    """A random name for a notice, for addresses and for receivers that must know it again."""
    return secrets.token_urlsafe(12)


class Notice(models.Model):
    """One thing told to one person. `source` names what it comes from: the same thing makes no second notice.

    `title` says nothing sealed, not even the person's own; `text` is for their eyes only. `by` is the instant up to
    which something is asked of them. `event`: a key of `notices.events`. `is_retired`: it counts as read without having
    been, and is still sent.
    """

    token = models.CharField(max_length=20, unique=True, default=new_token, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices", db_index=False)
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, null=True, related_name="+")
    source = models.CharField(max_length=80)
    event = models.CharField(max_length=20)
    title = models.CharField(max_length=200)
    text = models.TextField()
    url = models.CharField(max_length=200)
    by = models.DateTimeField(null=True)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)
    is_retired = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["user", "source"], name="notice_once")]
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_of_user"),
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="notice_unread"),
            models.Index(fields=["at"], name="notice_at"),
        ]

    def __str__(self) -> str:
        return f"{self.event} for {self.user_id}"
