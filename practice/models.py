"""The model of practice tables: one for each game of a person or visitor, deleted after a day of absence."""

from django.conf import settings
from django.db import models

from matches.models.match import new_seed


class PracticeTable(models.Model):
    """A state of a game at match time `time` (seconds), and the announcements that its player has heard so far, newest
    last. Time stands still until the player goes on, which they have done `steps` times. `visitor`: the session key of
    somebody without an account."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True)
    visitor = models.CharField(max_length=40, blank=True, default="", db_index=True)
    game = models.CharField(max_length=60)
    rules_version = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=64, default=new_seed)
    state = models.TextField()
    time = models.PositiveBigIntegerField(default=0)
    told = models.JSONField(default=list)
    steps = models.PositiveIntegerField(default=0)
    touched_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "game"], name="one_table_a_game"),
            models.UniqueConstraint(
                fields=["visitor", "game"], condition=~models.Q(visitor=""), name="one_table_a_visitor"
            ),
        )

    def __str__(self) -> str:
        return f"practice of {self.user_id}"
