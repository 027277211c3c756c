"""The append-only log of a season. State and ledger follow from it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class SeasonRow(models.Model):
    """One row of the log. Never changed, never deleted. `hash` covers the row and the hash of the row before.

    `actor` is `member:<handle>`, `host:<username>`, or `clock`. `salt`: random, so that nobody can try out what a row
    may say until its hash, which is published, fits.
    """

    class Kind(models.TextChoices):
        BEGIN = "begin", "The season begins"
        MATCH_OPENED = "match_opened", "A match opens"
        PREGAME_OVER = "pregame_over", "The pregame of the match that growth counts from is over"
        MATCH_OVER = "match_over", "A match is over"
        DEADLINE = "deadline", "Deadline passed"
        COUNT_BLOOD = "count_blood", "Growth of blood garnets switched"
        COMMAND = "command", "Command"
        PERSON = "person", "A person takes or leaves a place"
        ROLES = "roles", "Who hosts it"
        OUTAGE = "outage", "Time to name an opponent extended for an outage"

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="log", db_index=False)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    actor = models.CharField(max_length=170)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    payload = models.TextField()
    received_at = models.DateTimeField()
    season_time = models.DurationField()
    key = models.CharField(max_length=100, blank=True)
    salt = models.CharField(max_length=32)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        verbose_name = "log row"
        verbose_name_plural = "log"
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="season_log_number_once"),
            models.UniqueConstraint(
                fields=["season", "user", "key"], condition=~Q(key=""), name="season_log_key_once_an_account"
            ),
        ]

    def __str__(self) -> str:
        return f"season {self.season_id}#{self.number}"
