"""Opening matches and passing deadlines when their time has come, each exactly once."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import structlog
from django.db import OperationalError
from django.db.models import F, QuerySet

from matches.infra.db_waits import hurried
from matches.models import Match, clock
from matches.models.match import of_known_rules
from matches.services.errors import Busy, MatchFault, Refused
from matches.services.heartbeat import beat
from matches.services.locking import locked_match
from matches.services.opening import open_due
from matches.services.storage.retry import retrying

logger = structlog.get_logger(__name__)

SWEEP = "sweep"
_MOST_FAILURES = 3
_AT_ONCE = 200


@retrying
def advance(match_id: int, *, wait: bool = True) -> int:
    """Bring one match up to now: open it if its start has come, pass every due deadline.

    Returns how many deadlines were passed. All of it is one transaction, so two sweeps, or a sweep and a request, do
    nothing twice. Raises `MatchFault`, and `Busy` if somebody else keeps the match locked (at once without `wait`).
    """
    with locked_match(match_id, wait=wait) as writer:
        opened = open_due(writer)
        passed = writer.pass_due()
        if opened or passed:
            writer.match.failures = 0
            writer.save()
        return passed


def sweep() -> int:
    """Advance every match for which something is due; how many there were.

    A match whose rules fail is tried three times, then set aside until a host looks at it. One whose rules this site
    does not know waits, untouched, for a site that does. One that somebody else keeps locked is left for the next
    time: it must cost nobody but itself.
    """
    due = Match.objects.filter(next_deadline_at__lte=clock.now(), failures__lt=_MOST_FAILURES).order_by(
        "next_deadline_at"
    )
    match_ids = list(due.filter(of_known_rules()).values_list("pk", flat=True)[:_AT_ONCE])
    _say_which_wait(due.exclude(of_known_rules()))
    for match_id in match_ids:
        _advance_safely(match_id)
    beat(SWEEP)
    return len(match_ids)


_waiting: frozenset[str] = frozenset()


def _say_which_wait(unknown: QuerySet[Match]) -> None:
    """One line in the log whenever other matches than before are due by rules that this site does not know."""
    global _waiting
    found = frozenset(unknown.values_list("public_id", flat=True)[:_AT_ONCE])
    if found - _waiting:
        logger.error("rules_unknown", matches=sorted(found), hint="The site needs the rules that they began with.")
    _waiting = found


def _advance_safely(match_id: int) -> None:
    """Advance one match; an error in it must not stop the others."""
    try:
        advance(match_id, wait=False)
    except Busy:
        logger.warning("sweep_busy", match=match_id)
    except Exception as error:
        noted: dict[str, Any] = {"failures": F("failures") + 1}
        if not isinstance(error, MatchFault):  # that one is noted and logged already
            logger.exception("sweep_failed", match=match_id)
            noted["fault"] = f"{type(error).__name__}: {error}"[:500]
        with suppress(OperationalError), hurried():  # the next sweep meets the same failure
            Match.objects.filter(pk=match_id).update(**noted)


def advance_if_due(match: Match) -> bool:
    """For pages: bring a match up to now where the sweep has not come by yet; whether that was done. Waits for
    nobody: a page that is a moment behind is better than none."""
    due = match.next_deadline_at
    if due is None or due > clock.now() or match.failures >= _MOST_FAILURES or not match.rules.is_known:
        return False
    try:
        advance(match.pk, wait=False)
    except Refused:
        return False
    return True
