"""Who wants to be in a season that has not begun, and what its hosts ask them."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Call(models.Model):
    """A season asks for applications until `closes_at` (None: it does not yet). `questions`: what it asks, a text
    each."""

    season = models.OneToOneField("seasons.Season", on_delete=models.CASCADE, related_name="call")
    questions = models.JSONField(default=list)
    places = models.PositiveSmallIntegerField()
    note = models.TextField(blank=True)
    closes_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"applications to {self.season_id}"


class Application(models.Model):
    """One person's. `answers`: pairs of a question, as it was then, and the answer.

    `member`: the place in the cast that they were given; `made_place`: it was made for them, and has their handle.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        CHOSEN = "chosen", "Chosen"
        ALTERNATE = "alternate", "Alternate"
        DECLINED = "declined", "Declined"
        WITHDRAWN = "withdrawn", "Withdrawn"

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="applications")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="season_applications")
    answers = models.JSONField(default=list)
    status = models.CharField(max_length=9, choices=Status, default=Status.WAITING)
    member = models.ForeignKey("seasons.Member", on_delete=models.SET_NULL, null=True, related_name="+")
    made_place = models.BooleanField(default=False)
    sent_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["sent_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="application_once_a_person")]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.season_id}: {self.status}"

    @property
    def has_place(self) -> bool:
        """Whether they are in the cast by it. A host may have given the place to somebody else since."""
        return self.member is not None and self.member.user_id == self.user_id
