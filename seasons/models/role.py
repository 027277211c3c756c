"""Who hosts a season, or has hosted it."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SeasonRole(models.Model):
    """What a person may do in a season. The row stays as `former` when somebody stops: they know its secrets, and can
    never be a member."""

    class Role(models.TextChoices):
        OWNER = "owner", "Owner"
        COHOST = "cohost", "Co-host"
        OBSERVER = "observer", "Observer"
        FORMER = "former", "Former host"

    ACTING = (Role.OWNER, Role.COHOST)
    SEEING = (*ACTING, Role.OBSERVER)

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="season_roles")
    role = models.CharField(max_length=8, choices=Role)
    since = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["season", "user"], name="season_role_once_a_person")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} of {self.season_id}"
