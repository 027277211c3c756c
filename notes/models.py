"""What is stored. Only `notes.views` writes these, and nobody but their owner is ever shown them: they are in no
log, no admin, and no API.
"""

from django.conf import settings
from django.db import models

# -- what a person has noted about a match ---------------------------------------------------------------


class Notebook(models.Model):
    """Notes of a person, player or not."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="notebook_once_a_person")]

    def __str__(self) -> str:
        return f"notes of {self.user_id} about {self.match_id}"
