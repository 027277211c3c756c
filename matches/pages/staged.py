"""A position that was never played in the match itself, put on its public page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from matches.engine.core import FINISHED
from matches.models import Match


def staged(match: Match, state: Any, time: timedelta, now: datetime, seed: str) -> Match:
    """An unsaved match in this position, which it has at `now` and at this match time. It has only public facts of the
    real one; `seed` (hex) is the one that the position comes from."""
    over = state.core.phase == FINISHED
    due = match.rules.next_deadline(state)
    shown = Match(
        public_id=match.public_id,
        game=match.game,
        title=match.title,
        description=match.description,
        seed=seed,
        status=Match.Status.FINISHED if over else Match.Status.OPEN,
        speed=match.speed,
        opened_at=now - time / match.speed,
        finished_at=now if over else None,
        state=match.rules.encode_state(state).decode(),
    )
    shown.start_clock(now, time)
    shown.next_deadline_at = None if due is None else shown.clock.instant(due)
    return shown
