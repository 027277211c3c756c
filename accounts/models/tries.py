"""How often somebody has tried to sign in lately, in the database: all processes count together, and a restart or a
lost cache forgets nothing."""

from __future__ import annotations

from django.db import models


class Tries(models.Model):
    """The latest tries of one kind: with one name, on one account, from one address, on one device.

    `key` is a keyed hash, so that neither addresses nor what people type into a field for their name is stored.
    """

    key = models.CharField(max_length=64, primary_key=True)
    times = models.JSONField(default=list)
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "tries"

    def __str__(self) -> str:
        return f"{len(self.times)} tries"
