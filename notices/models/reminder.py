"""Reminders: when to look next whether somebody has sent nothing before a deadline."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class AskedDeadline(models.Model):
    """A deadline by which a match asks something of its players.

    `time` is the match time that names it, which stays the same however the match is paused or extended; `since` the
    match time from which on it is asked. `at`: the instant as it is now, None while the match is paused. `all_sent`:
    the hosts were told that everybody has submitted.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+", db_index=False)
    time = models.DurationField()
    since = models.DurationField()
    at = models.DateTimeField(null=True)
    all_sent = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "time"], name="asked_deadline_once")]

    def __str__(self) -> str:
        return f"{self.time} of {self.match_id}"


class Reminder(models.Model):
    """One look before a deadline: who has sent nothing is reminded then.

    `spacing`: how long before it (`notices.reminders.deadlines`). Those who have chosen this spacing are looked at
    together; with `user` it is one person's own, who wants to be told again. `due_at`: None while nothing is to be
    done, because the match is paused or they were reminded. `times`: how often that was; it happens again only if the
    deadline moves.
    """

    deadline = models.ForeignKey(AskedDeadline, on_delete=models.CASCADE, related_name="reminders", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    spacing = models.CharField(max_length=12)
    due_at = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["deadline", "spacing"], condition=Q(user__isnull=True), name="reminder_once"
            ),
            models.UniqueConstraint(
                fields=["deadline", "user"], condition=Q(user__isnull=False), name="reminder_own_once"
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="reminder_due"),
            models.Index(fields=["deadline"], name="reminder_of_deadline"),
        ]

    def __str__(self) -> str:
        return f"{self.spacing} before {self.deadline_id}"


class LogSeen(models.Model):
    """The last row of all matches' logs that was looked at for those who have submitted. There is one."""

    row = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.row)
