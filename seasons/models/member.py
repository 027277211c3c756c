"""A member of a season's cast."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.player import handle_validator, new_nonce


class Member(models.Model):
    """A person or a bot with a permanent handle. A member who is neither yet is an open place.

    `status` and `place` repeat the season's state, for lists.
    """

    class Status(models.TextChoices):
        IN = "in", "In"
        OUT = "out", "Out"
        WITHDRAWN = "withdrawn", "Withdrawn"

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="cast")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="season_members"
    )
    is_bot = models.BooleanField("bot", default=False)
    handle = models.CharField(max_length=30, validators=[handle_validator])
    name = models.CharField(max_length=50, blank=True)
    team = models.CharField(max_length=30, blank=True)
    position = models.PositiveSmallIntegerField("order", default=0)
    garnets = models.PositiveIntegerField("opening garnets", default=0)
    priority = models.PositiveIntegerField("opening priority", default=0)
    blood_garnets = models.DecimalField("opening blood garnets", max_digits=14, decimal_places=4, default=0)
    status = models.CharField(max_length=9, choices=Status, default=Status.IN, editable=False)
    place = models.PositiveSmallIntegerField(null=True, editable=False)
    invite_nonce = models.CharField(max_length=32, default=new_nonce, editable=False)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "handle"],
                name="member_handle_once_a_season",
                violation_error_message="Another member of this season has that handle.",
            ),
            models.UniqueConstraint(
                fields=["season", "user"],
                condition=Q(user__isnull=False),
                name="member_user_once_a_season",
                violation_error_message="This person is in the cast already.",
            ),
            models.CheckConstraint(condition=Q(is_bot=False) | Q(user__isnull=True), name="member_bot_is_nobody"),
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name to show."""
        return self.name or self.handle

    @property
    def is_open(self) -> bool:
        """Whether nobody has taken this place yet."""
        return not self.is_bot and self.user_id is None
