"""Notes when somebody has touched a page: then they see their notices there, and need not hear of them elsewhere."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from matches.models import clock
from notices.models import Habits

EVERY = timedelta(seconds=20)
"""It is stored no more often than this, however many pages and tabs say so."""

_MOST = 10_000
_seen: dict[int, datetime] = {}
"""When this process has last stored it, by user."""


def touch(user: Any) -> bool:
    """A person has touched a page now; whether that was stored."""
    now = clock.now()
    before = _seen.get(user.pk)
    if before is not None and before <= now < before + EVERY:
        return False
    if len(_seen) >= _MOST:
        _seen.clear()
    _seen[user.pk] = now
    mine = Habits.objects.filter(user=user)
    # Another process may have stored it just now.
    if mine.filter(Q(here_at=None) | Q(here_at__lte=now - EVERY)).update(here_at=now):
        return True
    _, is_new = Habits.objects.get_or_create(user=user, defaults={"here_at": now})
    return is_new
