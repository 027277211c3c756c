"""Times in which the site did not sweep (services/outages.py)."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models import F, Q


class Outage(models.Model):
    """Nobody passed deadlines after `since` and up to `until`. Noted once, by whoever comes first afterwards; never
    changed."""

    since = models.DateTimeField(unique=True)
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(until__gt=F("since")), name="outage_has_a_length")]

    def __str__(self) -> str:
        return f"{self.since:%Y-%m-%d %H:%M} to {self.until:%Y-%m-%d %H:%M}"

    @property
    def length(self) -> timedelta:
        """How long it was."""
        return self.until - self.since
