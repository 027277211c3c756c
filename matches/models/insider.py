"""People who may never play in a match, because they may know its secrets."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Insider(models.Model):
    """Somebody who hosts or has hosted a match, or has looked into its console; or, with `played`, who has played in
    it and left that place to somebody else while it ran. Never taken back."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="insiders")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()
    # Empty for those who may know what hosts know; only they see what hosts see.
    played = models.ForeignKey("matches.Player", on_delete=models.CASCADE, null=True, related_name="left_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="insider_once_a_match")]

    def __str__(self) -> str:
        return f"{self.user} of {self.match}"
