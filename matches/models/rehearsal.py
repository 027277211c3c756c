"""A match that bots have played beforehand, for its hosts alone."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.match import new_seed


class Rehearsal(models.Model):
    """A rehearsal is not a match: it has no players, no log and no address of its own, so nothing that lists or tells
    of matches can come across it.

    `played_with` is what it was made from (`services.rehearsals.Setup`). `report` (`engine.rehearsal.Report`) is None
    until bots have played, from `begun_at` on; `problem` is why there is none. `seed` has nothing to do with the
    match's. `key` is the one-time key of the form that asked.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="rehearsals")
    host = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    begins_at = models.DateTimeField()
    seed = models.CharField(max_length=64, default=new_seed)
    played_with = models.JSONField()
    report = models.JSONField(null=True)
    key = models.CharField(max_length=64, blank=True)
    begun_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            # Those that a worker is to play (services/rehearsals.py).
            models.Index(fields=["id"], condition=Q(report__isnull=True, problem=""), name="rehearsal_waiting"),
        ]

    def __str__(self) -> str:
        return f"rehearsal {self.pk} of {self.match_id}"

    @property
    def is_waiting(self) -> bool:
        """Whether it is still to be played, or being played at this moment."""
        return self.report is None and not self.problem
