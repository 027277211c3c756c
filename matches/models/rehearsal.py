"""A match that bots have played beforehand, for its hosts alone."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from matches.models.match import new_seed


class Rehearsal(models.Model):
    """A rehearsal is no match: it has no players, no log and no address of its own, so nothing that lists or tells of
    matches can come across it.

    `played_with` is what it was made from (`services.rehearsals.Setup`). `report` (`engine.rehearsal_report.Report`)
    has all that the bots did, from which every position can be made again; it is None while they play. `seed` has
    nothing to do with the match's. `key` is the one-time key of the form that asked for it.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="rehearsals")
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    begins_at = models.DateTimeField()
    rules_version = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=64, default=new_seed)
    played_with = models.JSONField()
    report = models.JSONField(null=True)
    key = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"rehearsal {self.pk} of {self.match_id}"
