"""When each regular task last ran; `/healthz` reads this."""

from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """The last time that a named regular task ran to its end."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%H:%M:%S}"
