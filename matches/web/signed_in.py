"""Who is signed in by a session, for requests that are answered in front of Django.

The session and its person are read each time, so one that has ended, a new password and a closed account count at once;
only Django's own check of what these rows say is not made again while they say the same.
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from types import SimpleNamespace
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from accounts.sign_in import required
from matches.infra.kept import Kept
from matches.infra.nul import without_nul
from matches.services.storage import sql


class _Checked(NamedTuple):
    """What a session's row and its person's said when Django found them good."""

    data: str
    user_id: int
    password: str
    has_shown: bool


_checked: Kept[str, _Checked] = Kept(10_000)
"""By a hash of the session's key, which must not lie about in memory."""


class _MustChange(Exception):
    """Django would renew or end this session."""


class _Session(dict[str, Any]):
    """What a session says, for a look alone."""

    def cycle_key(self) -> None:
        raise _MustChange

    def flush(self) -> None:
        raise _MustChange


def user_id_of(session_key: str) -> int | None:
    """The person, by id; None where there is none, or where only Django itself can tell."""
    key = without_nul(session_key)
    now = sql.stored(Session, "expire_date", timezone.now())
    rows = sql.select(Session, ("session_data",), "session_key = %s AND expire_date > %s", key, now) if key else []
    if not rows:
        return None
    ((data,),) = rows
    place = hashlib.sha256(key.encode()).hexdigest()
    known = _checked.get(place)
    if known is None or known.data != data:
        known = _check(data)
        if known is None:
            return None
        _checked.keep(place, known)
    people = sql.select(User, ("password", "is_active"), "id = %s", known.user_id)
    if people and people[0][0] == known.password and people[0][1]:
        return None if required.owed_by(known.user_id, has_shown=known.has_shown) else known.user_id
    _checked.pop(place, None)
    return None


def _check(data: str) -> _Checked | None:
    """Read and check a session as Django does it for a page."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    session = _Session(store.decode(data))
    try:
        user: Any = get_user(SimpleNamespace(session=session))  # type: ignore[arg-type]
    except _MustChange:
        return None
    if not user.is_authenticated:
        return None
    return _Checked(data, user.pk, user.password, required.has_shown(user, session))
