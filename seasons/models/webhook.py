"""Webhooks of a season."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from notices.models import PublicPost, PublicWebhook


class SeasonWebhook(PublicWebhook):
    """One address that hears of what everybody is told in a season and in all of its matches."""

    OWNER: ClassVar[str] = "season"

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["season", "url"], name="season_webhook_once")]

    def post_of(self, match: Any, **fields: Any) -> SeasonPost:
        """A new post of what a match of the season has told everybody; None for the season itself."""
        return SeasonPost(webhook=self, match=match, **fields)


class SeasonPost(PublicPost):
    """One post to one webhook of a season. `match`: of which it tells; None if it tells of the season."""

    webhook = models.ForeignKey(SeasonWebhook, on_delete=models.CASCADE, related_name="posts", db_index=False)
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, null=True, related_name="+", db_index=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "event_id"], name="season_post_once")]
        indexes = [
            models.Index(fields=["webhook", "id"], condition=Q(status="waiting"), name="season_post_waiting"),
            models.Index(fields=["webhook", "-id"], name="season_post_latest"),
        ]
