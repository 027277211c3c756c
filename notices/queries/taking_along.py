"""What people take along of notices."""

from __future__ import annotations

from typing import Any

from notices.models import Address, Notice


def export(user: Any) -> dict[str, Any]:
    """Where somebody is reached, without the secrets by which they are, and what they were told."""
    reached = Address.objects.filter(user=user).order_by("pk")
    told = Notice.objects.filter(user=user).order_by("pk")
    return {
        "addresses": list(reached.values("channel", "label", "created_at", "last_sent_at")),
        "told": list(told.values("match__public_id", "event", "title", "text", "at", "read_at")),
    }
