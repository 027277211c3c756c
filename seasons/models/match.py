"""A match of a season."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class SeasonMatch(models.Model):
    """Says that a match belongs to a season. `number` counts the season's matches, and names it in state and log.

    `over_at`: when the season has heard that it is over; `settled_at`: when its amounts went back to the accounts.
    """

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="matches")
    match = models.OneToOneField("matches.Match", on_delete=models.PROTECT, related_name="in_season")
    number = models.PositiveSmallIntegerField()
    is_death_match = models.BooleanField(default=False)
    opened_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["season", "number"]
        indexes = [
            # Those whose end the season waits for (services/advancing.py).
            models.Index(
                fields=["match"], condition=Q(opened_at__isnull=False, over_at__isnull=True), name="season_match_open"
            ),
        ]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="season_match_number_once")]

    def __str__(self) -> str:
        return f"match {self.number} of season {self.season_id}"

    @property
    def key(self) -> str:
        """Its name in the season's state."""
        return str(self.number)
