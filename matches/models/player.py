"""A person's (or bot's) part in one match."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

handle_validator = RegexValidator(
    r"\A[A-Za-z0-9][A-Za-z0-9_.-]{0,29}\Z",
    "A handle is up to 30 letters, digits and _ . - without spaces.",
)


def new_nonce() -> str:
    """What makes an invitation link; a new one makes the old link useless."""
    return secrets.token_urlsafe(16)


class Place(models.Model):
    """A place in a match or a season: its handle, what whoever has it brings, and the nonce of the link with which
    somebody can take it."""

    is_bot = models.BooleanField("bot", default=False)
    handle = models.CharField(max_length=30, validators=[handle_validator])
    name = models.CharField(max_length=50, blank=True)
    team = models.CharField(max_length=30, blank=True)
    position = models.PositiveSmallIntegerField("order", default=0)
    priority = models.PositiveIntegerField("opening priority", default=0)
    blood_garnets = models.DecimalField("opening blood garnets", max_digits=14, decimal_places=4, default=0)
    invite_nonce = models.CharField(max_length=32, default=new_nonce, editable=False)

    user_id: int | None

    class Meta:
        abstract = True
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name to show."""
        return self.name or self.handle

    @property
    def is_open(self) -> bool:
        """Whether this is an open place: there is a handle, and nobody plays under it yet."""
        return not self.is_bot and self.user_id is None


class Player(Place):
    """A player of one match. `handle` names them in actions, views and files.

    `is_bot`: a bot plays. Where there is a `user` as well, it plays for that person until they have their place back.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="players")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="players",
        db_index=False,
    )
    # Below zero only what a player on credit brings from a season.
    garnets = models.IntegerField("opening garnets", default=0)
    version = models.PositiveBigIntegerField(default=0, editable=False)
    action_count = models.PositiveIntegerField(default=0, editable=False)
    bot_acts_at = models.DateTimeField(null=True, editable=False)

    class Meta(Place.Meta):
        indexes = [
            # A person's matches, the one that they joined last first (queries/lists.py).
            models.Index(fields=["user", "-id"], condition=Q(user__isnull=False), name="player_of_user"),
            # Which bots look next (services/bots.py).
            models.Index(fields=["bot_acts_at", "id"], condition=Q(is_bot=True), name="player_bots_due"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "handle"],
                name="player_handle_once_a_match",
                violation_error_message="Another player of this match has that handle.",
            ),
            models.UniqueConstraint(
                fields=["match", "user"],
                condition=Q(user__isnull=False),
                name="player_user_once_a_match",
                violation_error_message="This person plays in this match already.",
            ),
        ]
