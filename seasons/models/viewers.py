"""Trusted viewers: people who see what one member of a season sees."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from matches.models.match import new_public_id


class SeasonViewer(models.Model):
    """A person whom a host has named to see what a member sees. Nothing is shown before the member has accepted, and
    nothing more once it has stopped; whoever was accepted once can never be a member."""

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="viewers")
    member = models.ForeignKey("seasons.Member", on_delete=models.PROTECT, related_name="viewers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="views_seasons")
    token = models.CharField(max_length=16, unique=True, default=new_public_id)
    named_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "user"], condition=Q(stopped_at=None), name="season_viewer_once_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} sees what {self.member_id} sees"
