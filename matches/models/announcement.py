"""Announcements: what was told to whom, in the feed and as notices."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q


def new_token() -> str:
    """A random name for an announcement. A number would show how much others were told."""
    return secrets.token_urlsafe(9)


class Announcement(models.Model):
    """One thing told. `audience` is everyone, hosts, or player:<handle>.

    `player` is set where it is one player's; empty again where they have left before the start. `read_at` is set where
    it answers an action of that player's own, who has just seen it happen: it is told to nobody elsewhere.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="announcements", db_index=False)
    submission = models.ForeignKey("matches.Submission", on_delete=models.PROTECT, related_name="announcements")
    token = models.CharField(max_length=12, unique=True, default=new_token)
    audience = models.CharField(max_length=50)
    player = models.ForeignKey(
        "matches.Player", on_delete=models.SET_NULL, null=True, related_name="announcements", db_index=False
    )
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    match_time = models.DurationField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        # They begin with `match` and `player`, so those need no indexes of their own.
        indexes = [
            models.Index(fields=["match", "audience", "-id"], name="announcement_feed"),
            models.Index(fields=["player", "-id"], condition=Q(player__isnull=False), name="announcement_own"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.audience}"
