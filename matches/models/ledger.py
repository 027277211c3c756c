"""The ledger (what moved, from whom to whom, and why), and the bids.

Amounts are positive whole numbers of the asset's smallest unit: one, or for blood garnets one
ten-thousandth. A balance is the sum of entries; `Holding` stores it too, so that the database itself
can refuse a balance below zero.
"""

from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import F, Q

from matches.engine.core import BLOOD_GARNET
from matches.engine.sentences import asset_name

BLOOD_UNITS = 10_000


def shown_amount(asset: str, units: int) -> int | Decimal:
    """An amount in stored units as people count it: blood garnets as a decimal."""
    return Decimal(units) / BLOOD_UNITS if asset == BLOOD_GARNET else units


def units(asset: str, amount: int) -> str:
    """An amount in stored units with its name: “3 garnets”, “1.5 blood garnets”."""
    shown = shown_amount(asset, amount)
    return asset_name(asset, plain(shown) if isinstance(shown, Decimal) else shown)


def asset_word(asset: str) -> str:
    """The name of an asset: “garnets”, “Tokens of Life”."""
    return asset_name(asset, 2).removeprefix("2 ")


def plain(amount: Decimal) -> Decimal:
    """A decimal without trailing zeros, and never as 1E+2."""
    return Decimal(format(amount.normalize(), "f"))


def plain_amount(amount: int | Decimal) -> str:
    """The text of an amount as people count it, without trailing zeros."""
    return str(plain(amount)) if isinstance(amount, Decimal) else str(amount)


class Transfer(models.Model):
    """An entry of any ledger, without its `giver` and `receiver`. Never changed, never deleted."""

    asset = models.CharField(max_length=40)
    amount = models.BigIntegerField()
    reason = models.CharField(max_length=40)
    note = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()

    class Meta:
        abstract = True
        verbose_name_plural = "ledger entries"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="%(class)s_amount_positive"),
            models.CheckConstraint(
                condition=Q(giver__isnull=False) | Q(receiver__isnull=False),
                name="%(class)s_somebody_takes_part",
            ),
            models.CheckConstraint(
                condition=Q(giver__isnull=True) | Q(receiver__isnull=True) | ~Q(giver=F("receiver")),
                name="%(class)s_not_to_oneself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.asset}: {self.reason}"

    def told(self) -> dict[str, Any]:
        """The entry's data like `engine.chain.ExportedEntry`, without the number of its row."""
        said: Any = self
        who = {way: each.handle if (each := getattr(said, way)) else None for way in ("giver", "receiver")}
        what = {name: getattr(said, name) for name in ("asset", "amount", "reason", "note")}
        return {**who, **what, "at": said.at.isoformat()}


class LedgerEntry(Transfer):
    """One transfer; a missing giver or receiver is the bank."""

    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="ledger")
    submission = models.ForeignKey("matches.Submission", on_delete=models.PROTECT, related_name="entries")
    giver = models.ForeignKey("matches.Player", on_delete=models.PROTECT, null=True, related_name="given")
    receiver = models.ForeignKey("matches.Player", on_delete=models.PROTECT, null=True, related_name="received")
    match_time = models.DurationField()


class Holding(models.Model):
    """A player's balance of an asset, the sum of the entries. `on_credit` allows a negative amount."""

    player = models.ForeignKey("matches.Player", on_delete=models.PROTECT, related_name="holdings")
    asset = models.CharField(max_length=40)
    amount = models.BigIntegerField()
    on_credit = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "asset"], name="holding_once"),
            models.CheckConstraint(condition=Q(amount__gte=0) | Q(on_credit=True), name="holding_not_below_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.asset}"


# -- bid -------------------------------------------------------------------------------------------------


class Bid(models.Model):
    """A bid on a lot, and its result. `public`: whether everyone may see it. Times are UTC and match time."""

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
