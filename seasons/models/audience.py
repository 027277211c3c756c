"""Models of applications, predictions and trusted viewers."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.match import new_public_id

# -- applications --------------------------------------------------------------------------------------------


class Call(models.Model):
    """A season's call for applications, open until `closes_at` (None: not yet open). `questions`: a list of texts."""

    season = models.OneToOneField("seasons.Season", on_delete=models.CASCADE, related_name="call")
    questions = models.JSONField(default=list)
    places = models.PositiveSmallIntegerField()
    note = models.TextField(blank=True)
    closes_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"applications to {self.season_id}"


class Application(models.Model):
    """One person's application. `answers`: pairs of a question, as it was worded then, and the answer.

    `member`: the place in the cast that they were given; `made_place`: it was created for them, with their handle.
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
        """Whether they still have the place that they were given; a host may have given it to somebody else since."""
        return self.member is not None and self.member.user_id == self.user_id


# -- predictions ---------------------------------------------------------------------------------------------


class Prediction(models.Model):
    """One person's answer to one question: 0 asks who wins, n who goes out as the n-th."""

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="predictions", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="season_predictions")
    question = models.PositiveSmallIntegerField()
    handle = models.CharField(max_length=30)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "question", "user"], name="prediction_once_a_question"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} on {self.question} of {self.season_id}: {self.handle}"


# -- trusted viewers -----------------------------------------------------------------------------------------


class SeasonViewer(models.Model):
    """A trusted viewer: a person whom a host has named to see what a member sees, from the member's acceptance until it
    is stopped. Whoever was accepted once can never be a member."""

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="viewers")
    member = models.ForeignKey("seasons.Member", on_delete=models.PROTECT, related_name="viewers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="views_seasons")
    token = models.CharField(max_length=16, unique=True, default=new_public_id)
    named_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "user"], condition=Q(stopped_at=None), name="season_viewer_once_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} sees what {self.member_id} sees"
