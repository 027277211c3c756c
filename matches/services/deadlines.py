"""The sweep: opening matches, ending pauses and passing deadlines when their time has come, each exactly once."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import structlog
from django.db import OperationalError
from django.db.models import F, Q, QuerySet

from matches.infra.db_waits import hurried
from matches.models import Match, Outage, clock
from matches.models.match import of_known_rules
from matches.services import bots, locking, outages
from matches.services.errors import Busy, MatchFault, Refused, as_rule_failure, retrying
from matches.services.hosting.clock import close_now, sensible_later
from matches.services.locking import locked_match
from matches.services.opening import open_due
from matches.services.outages import SWEEP, beat
from matches.services.writer import Writer

logger = structlog.get_logger(__name__)

_AT_ONCE = 200


@retrying
def advance(match_id: int, *, wait: bool = True, ahead: bool = False) -> int:
    """Bring one match up to now: open it if its start has come, end its pause, pass every due deadline.

    Returns how many things it did, not counting the opening. All of it is one transaction, so two sweeps, or a sweep
    and a request, do nothing twice. Raises `MatchFault`, and `Busy` if somebody else keeps the match locked (at once
    without `wait`). `ahead`: also extend a deadline that is still to come but falls soon after an outage.
    """
    with locked_match(match_id, wait=wait) as writer:
        opened = open_due(writer)
        passed = writer.pass_due(ahead=ahead)
        if opened or passed:
            writer.match.failures = 0
            writer.save()
        return passed


def sweep() -> int:
    """Advance every match for which something is due, and return how many there were. Does nothing while this machine's
    clock is too far from the database's; workers on other machines still sweep.

    A match whose rules fail is tried three times, then set aside until a host clears the fault. One whose rules this
    site does not know stays untouched until it does. One that somebody else keeps locked is left for the next sweep, so
    that it delays no other.
    """
    now = clock.ask()
    if not _is_on_time():
        return 0
    _extend_ahead(outages.note(now))
    sound = Match.objects.filter(failures__lt=Match.MOST_FAILURES)
    due = sound.filter(next_deadline_at__lte=now).order_by("next_deadline_at")
    match_ids = list(due.filter(of_known_rules()).values_list("pk", flat=True)[:_AT_ONCE])
    paused = sound.filter(of_known_rules(), resumes_at__lte=now).order_by("resumes_at")
    match_ids += paused.values_list("pk", flat=True)[:_AT_ONCE]
    _say_which_wait(due.exclude(of_known_rules()))
    for match_id in match_ids:
        _advance_safely(match_id)
    beat(SWEEP)
    return len(match_ids)


_was_on_time = True


def _is_on_time() -> bool:
    """Whether this process may sweep. Writes a line to the site's log whenever that changes."""
    global _was_on_time
    was, _was_on_time = _was_on_time, not clock.is_skewed()
    if _was_on_time != was:
        said = logger.warning if _was_on_time else logger.error
        said("clock_right" if _was_on_time else "clock_wrong", ahead_seconds=round(clock.skew().total_seconds(), 3))
    return _was_on_time


_looked_after: int | None = None


def _extend_ahead(outage: Outage | None) -> None:
    """After an outage, extend at once all deadlines that come too soon after it, so that players know early. Pregames
    are looked at, too: something may have closed before their end. If this is interrupted, each is still extended when
    it comes."""
    global _looked_after
    if outage is None or outage.pk == _looked_after:
        return
    _looked_after = outage.pk
    soon = Match.objects.filter(
        Q(next_deadline_at__lt=outages.soon_after(outage)) | Q(pregame_ended_at=None),
        status=Match.Status.OPEN,
        failures__lt=Match.MOST_FAILURES,
        next_deadline_at__gt=outage.until,
    )
    for match_id in list(soon.filter(of_known_rules()).values_list("pk", flat=True)):
        _advance_safely(match_id, ahead=True)


_waiting: frozenset[str] = frozenset()


def _say_which_wait(unknown: QuerySet[Match]) -> None:
    """Write a line to the site's log whenever more matches wait for rules that this site does not know."""
    global _waiting
    found = frozenset(unknown.values_list("public_id", flat=True)[:_AT_ONCE])
    if found - _waiting:
        logger.error("rules_unknown", matches=sorted(found), hint="The site needs the rules that they began with.")
    _waiting = found


def _advance_safely(match_id: int, *, ahead: bool = False) -> None:
    """Advance one match; an error in it must not stop the others."""
    try:
        advance(match_id, wait=False, ahead=ahead)
    except Busy:
        logger.warning("sweep_busy", match=match_id)
    except Exception as error:
        with suppress(OperationalError), hurried():  # if this cannot be stored, the next sweep will try again
            Match.objects.filter(pk=match_id).update(failures=F("failures") + 1)
        if not isinstance(error, MatchFault):  # which is noted and logged already
            logger.exception("sweep_failed", match=match_id)
            _note_safely(match_id, f"{type(error).__name__}: {error}")


def _note_safely(match_id: int, failure: str) -> None:
    """Note a fault, which writes to the match's log; what is wrong with the match may prevent that."""
    try:
        with hurried():
            locking.note(match_id, failure)
    except Exception:
        logger.exception("fault_not_noted", match=match_id)


def advance_if_due(match: Match) -> bool:
    """Bring a match up to now for a page, if something is due that the sweep has not done yet. Returns whether it did.
    Does not wait for a lock: a page that is a moment behind is better than none."""
    due = match.resumes_at or match.next_deadline_at  # a paused match has only the first, others only the second
    if due is None or due > clock.now() or match.is_set_aside or not match.rules.is_known:
        return False
    try:
        advance(match.pk, wait=False)
    except Refused:
        return False
    return True


# -- all sent --------------------------------------------------------------------------------------------
# Deadlines that pass as soon as everybody has submitted, in matches whose hosts have chosen so.
#
# Who has submitted stays secret until the deadline passes. A sweep in any process looks for complete matches; it skips
# those whose log has not grown since it last looked, because every submission is a row of the log. If only bots are
# missing, they act at once.

_looked_at: dict[int, int] = {}
"""Match -> the length of its log at the last look."""


def sweep_all_sent() -> int:
    """Close the deadlines for which everybody has submitted, and return how many there were."""
    found = Match.objects.filter(status=Match.Status.OPEN, closes_when_sent=True, failures__lt=Match.MOST_FAILURES)
    lengths = dict(found.values_list("pk", "log_count"))
    closed = 0
    for match_id, length in lengths.items():
        if _looked_at.get(match_id) == length:
            continue
        try:
            closed += _close(match_id)
        except Refused:
            continue  # the next call looks again
        except Exception:
            logger.exception("all_sent_failed", match=match_id)
        _looked_at[match_id] = length
    for gone in _looked_at.keys() - lengths.keys():
        del _looked_at[gone]
    return closed


def _close(match_id: int) -> bool:
    with locked_match(match_id, wait=False) as writer:
        due = _complete(writer)
        if due is None:
            return False
        robots = list(writer.match.players.filter(is_bot=True))
        late = [bot for bot in robots if _is_asked(writer, bot.handle, due)]
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
    """The match time of the next deadline if it is one for sealed submissions, somebody has sealed something, and no
    person is still asked for anything until then; None otherwise."""
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
    return any(ask.until is None or timedelta(seconds=ask.until) <= due for ask in asked)
