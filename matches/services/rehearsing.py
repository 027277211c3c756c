"""Plays the rehearsals that hosts have asked for, in a worker.

One is played at a time, on the whole site: each takes some seconds of a processor, and deadlines must not wait for it.
"""

from __future__ import annotations

from time import monotonic

import msgspec
import structlog

from matches.engine.playing import Unplayable
from matches.engine.rehearsal_report import Report, report_of
from matches.models import Rehearsal, clock
from matches.services.rehearsals import GIVEN_UP_AFTER, setup_in, unfinished

_SECONDS_FOR_ONE, _SECONDS_FOR_ALL = 20, 8
_SAID_EVERY = 0.5  # seconds, at most: how many matches have been played

TOO_LONG = "With these settings a match of bots does not come to its end in the time that there is for a rehearsal."
FAILED = "The rules of the game failed in it. The fault is in the site's log."
BROKEN_OFF = "It was interrupted, perhaps because the site was restarted. Please rehearse again."

logger = structlog.get_logger(__name__)


def play_next() -> bool:
    """Play the oldest rehearsal that waits, unless one is being played; whether there was one."""
    rehearsal = _claim()
    if rehearsal is None:
        return False
    try:
        report = _play(rehearsal)
    except Unplayable:
        _note(rehearsal, problem=TOO_LONG)
    except Exception:
        logger.exception("rehearsal_failed", rehearsal=rehearsal.pk, match=rehearsal.match_id)
        _note(rehearsal, problem=FAILED)
    except BaseException:  # the worker is being stopped: another one plays it
        _note(rehearsal, begun_at=None, progress=0)
        raise
    else:
        _note(rehearsal, report=msgspec.to_builtins(report))
    return True


def _claim() -> Rehearsal | None:
    now = clock.now()
    waiting = list(unfinished().select_related("match").order_by("pk")[:10])
    for each in waiting:
        if each.begun_at is not None and each.begun_at <= now - GIVEN_UP_AFTER:
            _note(each, problem=BROKEN_OFF)
        elif each.begun_at is not None:
            return None
    for each in waiting:
        # Who is second, in another worker, changes no row.
        if each.begun_at is None and unfinished().filter(pk=each.pk, begun_at=None).update(begun_at=now):
            return each
    return None


def _note(rehearsal: Rehearsal, **fields: object) -> None:
    Rehearsal.objects.filter(pk=rehearsal.pk).update(**fields)


def _play(rehearsal: Rehearsal) -> Report:
    setup, began = setup_in(rehearsal), monotonic()
    limits = (_SECONDS_FOR_ONE, _SECONDS_FOR_ALL)
    said = began

    def enough(which: int) -> bool:
        return monotonic() - began > limits[which]

    def played(count: int) -> None:
        nonlocal said
        if monotonic() - said > _SAID_EVERY:
            said = monotonic()
            _note(rehearsal, progress=count)

    seed = bytes.fromhex(rehearsal.seed)
    return report_of(rehearsal.match.rules, setup.config, setup.roster, seed, enough, played)
