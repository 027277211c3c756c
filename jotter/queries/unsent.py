"""What a player has typed and not sent."""

from __future__ import annotations

import json
from typing import NamedTuple

from jotter.models import Unsent
from jotter.queries.parts import part_of
from matches.models import Submission
from matches.queries.access import Viewer


class Typed(NamedTuple):
    """A form as it was typed. `is_late`: it belongs to a part of the match that is over, and did not count."""

    form: str
    part: str
    values: list[list[str]]
    words: str
    is_late: bool


def unsent_of(viewer: Viewer) -> list[Typed]:
    """What this player has typed and not sent, by form; nothing once the match is over."""
    if viewer.player is None or viewer.match.is_over:
        return []
    rows = list(Unsent.objects.filter(player_id=viewer.player.pk, user_id=viewer.user.pk).order_by("form"))
    if not rows:
        return []
    part = part_of(viewer.match)
    return [
        Typed(row.form, row.part, row.values, row.words, row.part != part) for row in rows if not _was_sent_since(row)
    ]


def _was_sent_since(row: Unsent) -> bool:
    """Whether the player has sent such a form afterwards: from another page, or by a program."""
    sent = Submission.objects.filter(player_id=row.player_id, accepted=True, received_at__gte=row.saved_at)
    return any(json.loads(payload)["type"] == row.form for payload in sent.values_list("payload", flat=True))
