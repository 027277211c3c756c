"""What becomes of what somebody has written when their account is deleted: it stays, under a neutral name."""

from __future__ import annotations

from typing import Any

from talk.models import Message


def leave(user: Any, name: str) -> None:
    """Show `name` above all that this person has written."""
    Message.objects.filter(author=user).update(name=name)


def export(user: Any) -> list[dict[str, Any]]:
    """What somebody has written, also what was hidden since."""
    fields = ("match__public_id", "role", "text", "at", "hidden_at")
    return [dict(each) for each in Message.objects.filter(author=user).order_by("pk").values(*fields)]
