"""Where people talk: a channel of a match, who belongs to it, and how far each person has read."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.match import new_public_id


class Channel(models.Model):
    """A place to talk in one match; made with its first message, a private one when players open it."""

    class Kind(models.TextChoices):
        PUBLIC = "public", "Public"
        TEAM = "team", "Team"
        PRIVATE = "private", "Private"

    # Without a constraint, for PostgreSQL would check it with a lock on the match, and wait for whoever acts in it.
    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="channels", db_constraint=False)
    kind = models.CharField(max_length=7, choices=Kind)
    # Names it in addresses. A number would show how many others there are.
    token = models.CharField(max_length=16, unique=True, default=new_public_id)
    team = models.CharField(max_length=30, blank=True)
    # A digest of a private channel's people: the same people have one channel only.
    group = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "kind", "team", "group"], name="channel_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.match_id}"


class Member(models.Model):
    """A player of a team's or a private channel.

    `user` is the person with whom a private talk was begun: whoever takes over the place later does not read it. Of a
    team's channel it is empty: it belongs to whoever plays in the team.
    """

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="members", db_index=False)
    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["channel", "player"], name="member_once_a_channel")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.channel_id}"


class Seen(models.Model):
    """How far a person has read in a channel: up to the message of this id."""

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    last = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["channel", "user"], name="seen_once_a_channel")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.channel_id}"


def of_whoever_plays(user_id: int) -> Q:
    """Filters members through whom this person belongs to a channel."""
    return Q(player__user_id=user_id) & (Q(user_id=user_id) | Q(user_id=None))
