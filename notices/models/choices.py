"""What people have chosen: of which events they hear how, and when they are left alone."""

from __future__ import annotations

from datetime import time

from django.conf import settings
from django.db import models


class Choice(models.Model):
    """Whether a person hears of an event by a channel, where they have chosen something else than the default."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_choices")
    event = models.CharField(max_length=20)
    channel = models.CharField(max_length=8)
    on = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "event", "channel"], name="choice_once")]

    def __str__(self) -> str:
        return f"{self.event} by {self.channel}: {'on' if self.on else 'off'}"


class Habits(models.Model):
    """When and how much a person wants to hear. Times of day are in the person's own zone.

    `here_at`: when one of their pages was last touched. `digest`: routine mail comes once a day, at `digest_at`.
    `urgent_at_night`: what cannot wait comes in the quiet hours too. `show_details`: subject lines and lock screens
    show the text as well. `spacing`: before a deadline with something missing, reminders at these shares of the phase
    (below 1) and this many seconds before its end (above).
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_habits")
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_to = models.TimeField(null=True, blank=True)
    urgent_at_night = models.BooleanField(default=False)
    digest = models.BooleanField(default=True)
    digest_at = models.TimeField(default=time(9))
    also_when_here = models.BooleanField(default=False)
    show_details = models.BooleanField(default=False)
    sound = models.BooleanField(default=False)
    spacing = models.JSONField(default=list)
    here_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"habits of {self.user_id}"


class Mute(models.Model):
    """A match of which a person wants to hear nothing elsewhere than on the site."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_matches")
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="mute_once")]

    def __str__(self) -> str:
        return f"{self.match_id} for {self.user_id}"
