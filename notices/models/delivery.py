"""Deliveries: one notice on its way to one address."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Delivery(models.Model):
    """One notice to one address; there is never a second one of the same.

    `claimed_until`: a process is sending it; if that process dies, another one takes it up then. `in_digest`: it goes
    out with others in one message.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Given up"
        DROPPED = "dropped", "Not needed"

    notice = models.ForeignKey("notices.Notice", on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    address = models.ForeignKey("notices.Address", on_delete=models.CASCADE, related_name="deliveries")
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    due_at = models.DateTimeField()
    in_digest = models.BooleanField(default=False)
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["notice", "address"], name="delivery_once")]
        indexes = [models.Index(fields=["due_at"], condition=Q(status="waiting"), name="delivery_due")]

    def __str__(self) -> str:
        return f"{self.notice_id} to {self.address_id}: {self.status}"
