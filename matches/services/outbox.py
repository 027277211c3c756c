"""What is done with the outbox besides writing it with each announcement (`services/storage/new_rows.py`)."""

from __future__ import annotations

from datetime import datetime

from matches.models import Match, OutboxRow


def leave_untold(match: Match, before: datetime) -> None:
    """Pass on nothing that was told in a match before an instant, inside the caller's transaction: for a past that was
    made and not lived through, of which nobody wants to hear."""
    OutboxRow.objects.filter(match=match, submission__received_at__lt=before).delete()
