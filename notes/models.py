"""The model of private notes. Only `notes.views` writes them, and only their owner ever sees them: they are in no log,
no admin page, and no API."""

from django.conf import settings
from django.db import models


class Notebook(models.Model):
    """A person's notes about a match, whether they play in it or not."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="notebook_once_a_person")]

    def __str__(self) -> str:
        return f"notes of {self.user_id} about {self.match_id}"
