"""Players who are away, excused."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q


class Absence(models.Model):
    """Somebody is away, excused. Players read from when to when, hosts also the reason.

    `noted_by`: the host who noted it; empty where the person did. `bot`: a bot is to play meanwhile; it has since
    `bot_since`. `ended_at`: it is over, or was taken back.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="absences")
    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, related_name="absences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submission = models.OneToOneField("matches.Submission", on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    until = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True, default="")
    noted_by = models.CharField(max_length=150, blank=True, default="")
    bot = models.BooleanField(default=False)
    bot_since = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["since", "pk"]
        indexes = [
            # Those that may begin or end (services/absences.py).
            models.Index(fields=["since"], condition=Q(ended_at__isnull=True), name="absence_going"),
        ]

    def __str__(self) -> str:
        return f"{self.user} from {self.since}"

    def is_now(self, now: datetime) -> bool:
        """Whether the person is away at this moment."""
        return self.ended_at is None and self.since <= now < self.until
