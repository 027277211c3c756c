"""What a season tells."""

from __future__ import annotations

from django.db import models


class SeasonNews(models.Model):
    """Something to tell everyone, one member or the hosts, with the row of the log from which it follows.

    `audience`: everyone, hosts, player:<handle>. `passed_on`: whether it has been told elsewhere (mail, phones) too.
    """

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="news")
    row = models.ForeignKey("seasons.SeasonRow", on_delete=models.PROTECT, related_name="news")
    audience = models.CharField(max_length=40)
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    passed_on = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "news"
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(passed_on=False), name="season_news_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.audience}"
