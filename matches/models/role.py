"""The roles in which people look after a match, or after anything else that has hosts, such as a season."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class Role(models.TextChoices):
    """What somebody may do as a host. Each role may see what hosts see; `acts` and `owns` say what else."""

    OWNER = "owner", "Owner"
    COHOST = "cohost", "Co-host"
    OBSERVER = "observer", "Observer"

    @property
    def acts(self) -> bool:
        """Whether this role gives commands."""
        return self in (Role.OWNER, Role.COHOST)

    @property
    def owns(self) -> bool:
        """Whether this role says who has which role, and deletes drafts."""
        return self == Role.OWNER


class HeldRole(models.Model):
    """Somebody's role; a subclass says in what."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=8, choices=Role)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class MatchRole(HeldRole):
    """The owner and the observers of a match. Those who act are `Match.hosts`; the owner is one of them, and all the
    others of them are co-hosts, who have no row here."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="roles")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="match_role_once_a_person"),
            models.UniqueConstraint(fields=["match"], condition=Q(role=Role.OWNER), name="match_has_one_owner"),
        ]
