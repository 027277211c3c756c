"""The auction book: every bid and its result."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Bid(models.Model):
    """A bid on a lot. `public` says whether everyone may see it; times are UTC and match time."""

    class Status(models.TextChoices):
        STANDING = "standing", "Standing"
        WON = "won", "Won"
        OUTBID = "outbid", "Outbid"
        RETURNED = "returned", "Returned"
        LOST = "lost", "Lost"
        CANCELLED = "cancelled", "Cancelled"
        DROPPED = "dropped", "Dropped"

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="bids")
    player = models.ForeignKey("matches.Player", on_delete=models.PROTECT, related_name="bids")
    lot = models.CharField(max_length=80)
    asset = models.CharField(max_length=40)
    amount = models.BigIntegerField()
    status = models.CharField(max_length=9, choices=Status)
    public = models.BooleanField()
    placed_by = models.ForeignKey("matches.Submission", on_delete=models.PROTECT, related_name="bids_placed")
    placed_at = models.DateTimeField()
    placed_time = models.DurationField()
    settled_at = models.DateTimeField(null=True)
    settled_time = models.DurationField(null=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["match", "-id"], condition=Q(public=True), name="bid_public")]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "lot", "player", "asset"],
                condition=Q(status="standing"),
                name="bid_standing_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.asset} on {self.lot}: {self.status}"
