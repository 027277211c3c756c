"""What this process has stored last of the matches that somebody watches here, so that their boards need not be read
again to be shown.

It is kept only after its transaction is committed, and given only to those who know of nothing newer: every change of
a match moves the head of its log.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from matches.models import Match
from matches.services.storage.recall import copied


class Commit(NamedTuple):
    """A match's row as it was stored, and its state, decoded."""

    match: Match
    state: Any


_lock = threading.Lock()
_watched: set[int] = set()
_newest: dict[int, Commit] = {}


def watch(match_id: int) -> None:
    """Keep what is stored of this match from now on."""
    with _lock:
        _watched.add(match_id)


def unwatch(match_id: int) -> None:
    """Keep nothing of this match any more."""
    with _lock:
        _watched.discard(match_id)
        _newest.pop(match_id, None)


def of(match: Match, state: Any) -> Commit | None:
    """What will be true once this is committed; None where nobody watches. A copy: the writer may go on."""
    return Commit(copied(match), state) if match.pk in _watched else None


def keep(commit: Commit) -> None:
    """After the commit. Threads may come here in another order than they have committed in."""
    match = commit.match
    with _lock:
        known = _newest.get(match.pk)
        if match.pk in _watched and (known is None or known.match.log_count < match.log_count):
            _newest[match.pk] = commit


def newest(match_id: int, head: int) -> Commit | None:
    """What was stored last, with a match of the caller's own; None if this process has stored nothing as new as that
    head of the log (`log_count`)."""
    known = _newest.get(match_id)
    return Commit(copied(known.match), known.state) if known and known.match.log_count >= head else None
