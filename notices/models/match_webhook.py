"""Webhooks of a match."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from notices.models.public_webhook import PublicPost, PublicWebhook
from notices.models.public_webhook import new_token as new_token  # a migration takes it from here


class MatchWebhook(PublicWebhook):
    """One address that hears of what everybody is told in a match."""

    OWNER: ClassVar[str] = "match"

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["match", "url"], name="match_webhook_once")]


class MatchPost(PublicPost):
    """One post to one webhook of a match."""

    webhook = models.ForeignKey(MatchWebhook, on_delete=models.CASCADE, related_name="posts", db_index=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "event_id"], name="match_post_once")]
        indexes = [
            models.Index(fields=["webhook", "id"], condition=Q(status="waiting"), name="match_post_waiting"),
            models.Index(fields=["webhook", "-id"], name="match_post_latest"),
        ]
