"""A member of a season's cast."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.player import Place


class Member(Place):
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
    garnets = models.PositiveIntegerField("opening garnets", default=0)
    status = models.CharField(max_length=9, choices=Status, default=Status.IN, editable=False)
    place = models.PositiveSmallIntegerField(null=True, editable=False)

    class Meta(Place.Meta):
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
