"""Deadlines that pass as soon as everybody has sent what they ask, in matches whose hosts have chosen so.

Who has sent what stays secret until then, so nothing but the close itself tells that the last one has. It is looked at
by the sweep, which any process may do: whatever a player does is a row of the log, and only a log that has grown since
the last look is looked at again. Nobody waits for a bot: where only bots are missing, they look at once.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import structlog

from matches.models import Match
from matches.services import bots
from matches.services.errors import Refused
from matches.services.hosting.clock import close_now, sensible_later
from matches.services.locking import locked_match
from matches.services.storage.retry import as_rule_failure
from matches.services.writer import Writer

logger = structlog.get_logger(__name__)

_MOST_FAILURES = 3
_looked_at: dict[int, int] = {}
"""Match -> how long its log was when it was looked at last."""


def sweep() -> int:
    """Close the deadlines for which nobody is waited any more; how many."""
    found = Match.objects.filter(status=Match.Status.OPEN, closes_when_sent=True, failures__lt=_MOST_FAILURES)
    lengths = dict(found.values_list("pk", "log_count"))
    closed = 0
    for match_id, length in lengths.items():
        if _looked_at.get(match_id) == length:
            continue
        try:
            closed += _close(match_id)
        except Refused:
            continue  # it is looked at again
        except Exception:
            logger.exception("all_sent_failed", match=match_id)
        _looked_at[match_id] = length
    for gone in _looked_at.keys() - lengths.keys():
        del _looked_at[gone]
    return closed


def _close(match_id: int) -> bool:
    with locked_match(match_id, wait=False) as writer:
        due = _complete(writer)
        robots = list(writer.match.players.filter(is_bot=True)) if due is not None else []
        late = [bot for bot in robots if due is not None and _is_asked(writer, bot.handle, due)]
    if due is None:
        return False
    for bot in late:
        bots.move(bot)
    with locked_match(match_id, wait=False) as writer:
        writer.pass_due()
        due = _complete(writer)
        if due is not None:
            row = writer.row({"command": "close_deadline", "all_sent": True})
            close_now(writer, row, due, sensible_later(writer.match, due, writer.now), all_sent=True)
        writer.save()
        return due is not None


def _complete(writer: Writer) -> timedelta | None:
    """The match time of the next deadline, if it asks for something sealed, somebody has sent it, and no person is
    asked for it any more; None otherwise."""
    if not writer.is_open or writer.state is None or not writer.match.closes_when_sent:
        return None
    with as_rule_failure():
        due: timedelta | None = writer.game.next_deadline(writer.state)
        if due is None or not writer.game.sealed(writer.state):
            return None
        people = writer.match.players.filter(is_bot=False, user__isnull=False).values_list("handle", flat=True)
        return None if any(_is_asked(writer, handle, due) for handle in people) else due


def _is_asked(writer: Writer, handle: str, due: timedelta) -> bool:
    asked: Any = writer.game.private_view(writer.state, handle, writer.time).asked
    return any(ask.until is None or timedelta(seconds=ask.until) == due for ask in asked)
