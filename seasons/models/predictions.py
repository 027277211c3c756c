"""Who spectators think goes out next, and who wins."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Prediction(models.Model):
    """One person's answer to one question: 0 is who wins, n who goes out as the n-th."""

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="predictions", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="season_predictions")
    question = models.PositiveSmallIntegerField()
    handle = models.CharField(max_length=30)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "question", "user"], name="prediction_once_a_question"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} on {self.question} of {self.season_id}: {self.handle}"
