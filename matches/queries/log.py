"""The public log of a match that is over: the data behind every hash, except for rows that stay private."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from matches.engine.errors import MALFORMED
from matches.models import Match, Player, Submission
from matches.queries.paging import PagedRows
from matches.services.special_rows import is_private_command
from matches.services.storage.log import content_hash, hashed_fields

_NOT_UNDERSTOOD = frozenset({MALFORMED, "unknown_action"})


def is_private(match: Match, row: Submission, player: Player | None) -> bool:
    """Whether a row of the match's log stays hidden from this player (or from everybody, for None) after the match.

    It does if the game keeps this type of action secret, or if the action was malformed, because it may have been meant
    as a secret one. Players always see their own rows. Of a private question the person who asked sees their own row,
    whoever has their place by now; a reply is on the page for questions, and in the log for nobody.
    """
    if player is None:
        is_own = False
    elif row.kind == Submission.Kind.COMMAND:
        is_own = row.actor.startswith("player:") and row.user_id == player.user_id
    else:
        is_own = row.player_id == player.pk
    return not is_own and is_private_for_all(match, row)


def is_private_for_all(match: Match, row: Submission) -> bool:
    """Whether a row stays hidden from everybody else after the match: private questions, actions that the game keeps
    secret, and malformed ones, because they may have been meant as secret ones."""
    if row.kind == Submission.Kind.COMMAND:
        return is_private_command(row)
    if row.kind != Submission.Kind.ACTION:
        return False
    if row.code in _NOT_UNDERSTOOD:
        return True
    payload = json.loads(row.payload)
    kind = payload.get("type") if isinstance(payload, dict) else None
    return isinstance(kind, str) and kind in match.rules.secret_for_ever


def log_rows(match: Match) -> PagedRows[Submission]:
    """All rows of the match's log, the oldest first. They are numbered without gaps, so a page is a range of numbers:
    nothing is counted and nothing skipped."""

    def read(start: int, count: int) -> list[Submission]:
        return list(match.log.filter(number__gt=start, number__lte=start + count).order_by("number"))

    return PagedRows(match.log_count, read)


class LogPage(NamedTuple):
    """Some rows as JSON, and the cursor of the next ones; empty if there are none."""

    rows: list[dict[str, Any]]
    cursor: str


class UnknownCursor(LookupError):
    """The log has no such row."""


def open_rows(match: Match, player: Player | None, cursor: str = "", limit: int = 200) -> LogPage:
    """The rows after the one whose hash is `cursor`, or the first ones. Raises `UnknownCursor`.

    Hashing `facts` (null for a private row) as canonical JSON gives `content`; hashing `previous` and `content`, a line
    each, gives `hash`.
    """
    rows = match.log.select_related("player").order_by("number")
    if cursor:
        last = match.log.filter(hash=cursor).order_by().values_list("number", flat=True).first()
        if last is None:
            raise UnknownCursor(cursor)
        rows = rows.filter(number__gt=last)
    found = list(rows[: limit + 1])
    shown = [
        {
            "hash": row.hash,
            "previous": row.previous_hash,
            "content": content_hash(row),
            "facts": None if is_private(match, row, player) else hashed_fields(row),
        }
        for row in found[:limit]
    ]
    return LogPage(shown, found[limit - 1].hash if len(found) > limit else "")
