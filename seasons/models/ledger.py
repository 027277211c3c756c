"""The season's ledger: what moved, from whom to whom, and why."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class SeasonEntry(models.Model):
    """One transfer. A missing giver or receiver is the bank or, where `match` is set, that match.

    Amounts are whole; blood garnets are counted in ten-thousandths. Never changed, never deleted.
    """

    season = models.ForeignKey("seasons.Season", on_delete=models.PROTECT, related_name="ledger")
    row = models.ForeignKey("seasons.SeasonRow", on_delete=models.PROTECT, related_name="entries")
    giver = models.ForeignKey("seasons.Member", on_delete=models.PROTECT, null=True, related_name="given")
    receiver = models.ForeignKey("seasons.Member", on_delete=models.PROTECT, null=True, related_name="received")
    match = models.ForeignKey("seasons.SeasonMatch", on_delete=models.PROTECT, null=True, related_name="entries")
    asset = models.CharField(max_length=40)
    amount = models.BigIntegerField()
    reason = models.CharField(max_length=40)
    note = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()
    season_time = models.DurationField()

    class Meta:
        verbose_name_plural = "ledger entries"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="season_amount_positive"),
            models.CheckConstraint(
                condition=Q(giver__isnull=False) | Q(receiver__isnull=False), name="season_somebody_takes_part"
            ),
            models.CheckConstraint(
                condition=Q(giver__isnull=True) | Q(receiver__isnull=True) | ~Q(giver=F("receiver")),
                name="season_not_to_oneself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.asset}: {self.reason}"
