"""One season: its settings, its seed, and its present state."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q

from matches.engine.draw import commitment
from matches.models.match import new_public_id, new_seed
from matches.models.usual_hour import UsualHour


class Season(models.Model):
    """Matches that belong together. `state` is the engine's JSON; the log of rows is the truth behind it."""

    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        RUNNING = "running", "Running"
        ENDED = "ended", "Ended"

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    title = models.CharField(max_length=120)
    description = models.TextField(blank=True, help_text="Shown on the season's page.")
    settings = models.JSONField(default=dict)
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    usual_hour = models.TimeField("usual hour", null=True, blank=True, help_text="When rounds of its matches close.")
    zone = models.CharField("zone of the usual hour", max_length=64, default="UTC")

    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    is_demo = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(editable=False)
    # The one-time key of the form that made it: a second click makes no second season.
    key = models.CharField(max_length=64, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)

    state = models.TextField(blank=True, editable=False)
    next_deadline_at = models.DateTimeField(null=True, editable=False)

    # The match whose pregame has to end before blood garnets grow.
    awaits_pregame_of = models.ForeignKey(
        "seasons.SeasonMatch", on_delete=models.PROTECT, null=True, related_name="+", editable=False
    )

    # The head of the log: how many rows, and the hash of the last.
    log_count = models.PositiveIntegerField(default=0, editable=False)
    log_head = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "-created_at", "-id"], name="season_newest"),
            models.Index(
                fields=["next_deadline_at"], condition=Q(next_deadline_at__isnull=False), name="season_deadlines"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return f"/seasons/{self.public_id}/"

    @property
    def seed_hash(self) -> str:
        """The published hash of the seed."""
        return commitment(bytes.fromhex(self.seed))

    @property
    def is_public(self) -> bool:
        """Whether everybody may see the season."""
        return self.status != self.Status.DRAFT

    @property
    def hour(self) -> UsualHour | None:
        """The usual hour of its matches; None if it has none, or if this machine does not know its zone."""
        return UsualHour.if_known(f"{self.usual_hour:%H:%M}" if self.usual_hour else "", self.zone)

    def time(self, instant: datetime) -> timedelta:
        """Season time at an instant: what has passed since the start, never less than nothing."""
        return timedelta() if self.started_at is None else max(instant - self.started_at, timedelta())

    def instant(self, time: timedelta) -> datetime | None:
        """The instant of a season time; None before the start."""
        return None if self.started_at is None else self.started_at + time
