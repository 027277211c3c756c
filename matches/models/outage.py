"""Times in which the site did not sweep (services/outages.py), and when each regular task last ran."""

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


class Heartbeat(models.Model):
    """The last time that a named regular task ran to its end; `/healthz` reads it."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%H:%M:%S}"
