"""Each interaction is taken once."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from chat_commands.models import SeenInteraction
from chat_commands.signed import FRESH_SECONDS, NotTaken

_KEPT = timedelta(seconds=4 * FRESH_SECONDS)


def take(interaction_id: str, now: datetime) -> None:
    """Note that it was received. Raises `NotTaken` if it was received before."""
    try:
        with transaction.atomic():
            SeenInteraction(interaction_id=interaction_id, at=now).save(force_insert=True)
    except IntegrityError:
        raise NotTaken(400, "seen_before", "This was received before.") from None


def forget(now: datetime) -> None:
    """Forget those that are too old to be sent again: their timestamp would be refused."""
    SeenInteraction.objects.filter(at__lt=now - _KEPT).delete()
