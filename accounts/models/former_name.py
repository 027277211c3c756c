"""Usernames of deleted accounts."""

from __future__ import annotations

from django.db import models


class FormerName(models.Model):
    """A username that nobody may take again: logs name accounts by it, so a newcomer would be taken for who has left.
    Only a keyed hash of what it looks like is kept."""

    digest = models.CharField(max_length=64, primary_key=True)

    def __str__(self) -> str:
        return self.digest[:8]
