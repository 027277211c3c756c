"""What the log covers besides its own rows."""

from __future__ import annotations

from django.db import models


class MatchRecord(models.Model):
    """The record of a match as it was when a row of its log had been carried out: everything that is stored of it and
    that no replay gives. The row's `record_hash`, and so the chain, covers `facts` with `salt`. Shown to nobody.

    `facts` is canonical JSON, see `services.records`. Rows of a release that kept no records have none.
    """

    submission = models.OneToOneField(
        "matches.Submission", on_delete=models.PROTECT, primary_key=True, related_name="record"
    )
    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="records")
    salt = models.CharField(max_length=32)
    facts = models.TextField()

    def __str__(self) -> str:
        return f"record at row {self.submission_id} of the log"
