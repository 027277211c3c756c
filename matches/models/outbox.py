"""The outbox: which rows of the log have told somebody something that has not been passed on yet.

It is written in the transaction of the announcements themselves, so nothing that was told is lost if the process dies
right after. What passes things on (to e-mail, phones, other programs) deletes the row when that is stored.
"""

from __future__ import annotations

from django.db import models


class OutboxRow(models.Model):
    """A row of the log with announcements that are still to be passed on."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="+", db_index=False)
    submission = models.OneToOneField("matches.Submission", on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"row {self.submission_id} of the log"
