"""What a player has typed into a form and not sent."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Unsent(models.Model):
    """The latest that was typed into one form of a player. It never counts for anything.

    `form` is the action's type, `part` the part of the match in which it was typed (`Game.progress`), `values` the
    fields by name as they were typed, `words` what it would do, as the page put it: to say afterwards what did not
    count. `user` typed it; who takes over the place does not get it.
    """

    player = models.ForeignKey("matches.Player", on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    form = models.CharField(max_length=40)
    part = models.CharField(max_length=120)
    values = models.JSONField()
    words = models.CharField(max_length=200, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "unsent forms"
        constraints = [models.UniqueConstraint(fields=["player", "form"], name="unsent_once_a_form")]

    def __str__(self) -> str:
        return f"{self.form} of {self.player_id}"
