"""The words that a player gives with their Tokens of Life."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models


def new_token() -> str:
    """A random name for a speech."""
    return secrets.token_urlsafe(9)


class Speech(models.Model):
    """What a giver wants to say. Nobody else reads it before the gift is announced, and then it does not change any
    more; of a gift that was drawn it is never shown."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="speeches", db_index=False)
    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    token = models.CharField(max_length=12, unique=True, default=new_token)
    text = models.TextField()
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True)
    hidden_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    hidden_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "speeches"
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="speech_once_a_player")]

    def __str__(self) -> str:
        return f"{self.token} of {self.player_id}"
