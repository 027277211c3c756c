"""Noting that a match's rules have failed: for its hosts, in its log, and told to them once for each fault."""

from __future__ import annotations

from django.db import transaction

from matches.engine.step import HOSTS
from matches.models import Match, clock
from matches.services.storage import sql
from matches.services.writer import Writer

_LONGEST = 500


def note(match_id: int, failure: str) -> None:
    """Note a fault of a match whose transaction has been rolled back. What failed is shown to hosts only: the log,
    which everybody reads after the match, says that it did. A match that is at fault already tells nobody again."""
    with transaction.atomic():
        for match, at in sql.locked(Match, match_id):
            if not match.fault:
                _tell_hosts(Writer(match, clock.now_from(at)))
            Match.objects.filter(pk=match_id).update(fault=failure[:_LONGEST])


def _tell_hosts(writer: Writer) -> None:
    row = writer.record(writer.row({"command": "fault"}, actor="site"))
    writer.announce(row, HOSTS, "match_fault")
    writer.save_words()
