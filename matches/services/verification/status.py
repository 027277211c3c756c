"""What became of a match and when, by its log, against what is stored: status, clock, deadlines, seed."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from matches.engine.core import FINISHED, PREGAME
from matches.models import Holding, Match, PlayerResult, Result, Submission
from matches.models.clock import CLOCK_FIELDS
from matches.services import blood, records, summing
from matches.services.verification import clock_replay
from matches.services.verification.stored import Replayed
from matches.services.writer import closes

Status = Match.Status


def compare_before(match: Match) -> list[str]:
    """What is wrong with a match that by its log or its state has not begun, a sentence each."""
    opened = _opening(match)
    if match.state:
        return [] if opened is not None else ["The match has begun, and its log does not say so."]
    if opened is not None:
        return ["By its log the match has begun, and there is no state."]
    found = []
    if match.log_count == 0 and match.status != Status.DRAFT:
        found.append(f"The match is {match.status}, and its log is empty.")
    life = records.life_then(match)
    if life is not None and life != match.status:
        found.append(f"The match is {match.status}, but by its log it is {life}.")
    if _moments(match) != (None, None, None) or _clock(match) != _clock(Match()):
        found.append("The match has not begun by its log, but its clock has.")
    if (match.closed_head, match.closed_at, match.finished_at) != _ended_before(match):
        found.append("The match has not begun by its log, and did not end when its data say.")
    if match.players.exclude(action_count=0).exists() or any(each.exists() for each in _brought_by_play(match)):
        found.append("The match has not begun by its log, but somebody has acted or owns something in it.")
    due = match.starts_at if match.status == Status.SCHEDULED and not match.start_problem else None
    if match.next_deadline_at != due:
        found.append("The next deadline is not the match's start.")
    return found


def _moments(match: Match) -> tuple[datetime | None, ...]:
    return (match.opened_at, match.pregame_ended_at, match.blood_grows_at)


def _clock(match: Match) -> list[Any]:
    """All of it but its speed, which is chosen before."""
    return [getattr(match, name) for name in CLOCK_FIELDS if name != "speed"]


def _ended_before(match: Match) -> tuple[str, datetime | None, datetime | None]:
    """The fingerprint, its time and the end of a match that has not begun: none, unless it was cancelled."""
    cancelled = _cancelling(match)
    return (*(_shown_by(cancelled) or ("", None)), None if cancelled is None else cancelled.received_at)


def _brought_by_play(match: Match) -> tuple[QuerySet[Any], ...]:
    """What only play brings about."""
    of_players = {"player__match": match}
    return (
        *(match.ledger.all(), match.bids.all(), Holding.objects.filter(**of_players)),
        *(Result.objects.filter(match=match), PlayerResult.objects.filter(**of_players)),
    )


def _opening(match: Match) -> Submission | None:
    return match.log.filter(kind=Submission.Kind.COMMAND, payload__contains='"command":"open"').first()


def compare(replayed: Replayed) -> list[str]:
    """What is wrong with a match that has begun, a sentence each."""
    match = replayed.match
    found = [*clock_replay.compare(match), *_compare_status(replayed), *_compare_moments(replayed)]
    due = match.rules.next_deadline(replayed.state) if match.status == Status.OPEN else None
    if match.next_deadline_at != (None if due is None else match.clock.instant(due)):
        found.append("The next deadline is not where the state has it.")
    opened = _opening(match)
    if opened is None or json.loads(opened.payload)["seed_hash"] != match.seed_hash:
        found.append("The seed is not the one that was promised when the match opened.")
    return found


def _compare_status(replayed: Replayed) -> list[str]:
    match, phase = replayed.match, replayed.state.core.phase
    if match.status == _status(replayed):
        return []
    return [f"The match is {match.status}, but its phase is {phase} and its log has it {_status(replayed)}."]


def _status(replayed: Replayed) -> str:
    match = replayed.match
    if _cancelling(match) is not None:
        return Status.CANCELLED
    if replayed.state.core.phase == FINISHED:
        return Status.FINISHED
    clock = clock_replay.last(match)
    if clock is None:  # a program keeps it by hand, and pauses it without a word
        return match.status if match.status == Status.PAUSED else Status.OPEN
    return Status.PAUSED if clock.paused_at is not None else Status.OPEN


def _cancelling(match: Match) -> Submission | None:
    return match.log.filter(
        kind=Submission.Kind.COMMAND, accepted=True, payload__startswith='{"command":"cancel"'
    ).first()


def _shown_by(cancelled: Submission | None) -> tuple[str, datetime | None] | None:
    """The fingerprint with which a match was cancelled, and its time; older releases showed none."""
    if cancelled is None or not json.loads(cancelled.payload).get("shows_head"):
        return None
    return summing.hash_after(cancelled) or cancelled.hash, cancelled.received_at


def _compare_moments(replayed: Replayed) -> list[str]:
    """When its pregame and the match itself ended, and when blood garnets grow next."""
    match, found = replayed.match, []
    if not replayed.is_by_hand:
        if match.pregame_ended_at != _first(replayed, lambda phase: phase != PREGAME):
            found.append("The pregame did not end when the match's data say.")
        cancelled = _cancelling(match)
        over = _first(replayed, lambda phase: phase == FINISHED)
        ended = cancelled.received_at if cancelled is not None and over is None else over
        if match.finished_at != ended:
            found.append("The match did not end when its data say.")
    shown = match.closed_head, match.closed_at
    if (any(shown) or _keeps_fingerprints(match)) and shown != _last_close(replayed):
        found.append("The fingerprint that everybody is shown is not the log's at the last close.")
    if match.blood_grows_at not in (None, _grows_next(match)):
        found.append("Blood garnets do not grow when the log says.")
    return found


def _keeps_fingerprints(match: Match) -> bool:
    """Whether the release that opened the match stored what everybody is shown; older ones did not always."""
    opened = _opening(match)
    return opened is not None and '"sums_up":true' in opened.payload


def _first(replayed: Replayed, is_so: Any) -> datetime | None:
    """When a phase was first reached."""
    rows = (row for row, step in replayed.steps if is_so(step.state.core.phase))
    row = next(rows, None)
    return None if row is None else replayed.at(row)


def _last_close(replayed: Replayed) -> tuple[str, datetime | None]:
    found: tuple[str, datetime | None] = ("", None)
    was = None
    for row, step in replayed.steps:
        phase = step.state.core.phase
        ends = phase == FINISHED and was != FINISHED
        if ends or closes(row, step):
            at = replayed.match.closed_at if replayed.is_by_hand else replayed.at(row)
            summed = summing.hash_after(row) if ends else None
            found = (summed or row.hash, at)
        was = phase
    return _shown_by(_cancelling(replayed.match)) or found


def _grows_next(match: Match) -> datetime | None:
    if not match.blood_garnets or match.pregame_ended_at is None:
        return None
    after = match.pregame_ended_at
    commands = match.log.filter(kind=Submission.Kind.COMMAND, accepted=True, received_at__gt=after - timedelta(days=1))
    for row in commands.filter(payload__contains="blood_garnets").order_by("number"):
        said = json.loads(row.payload)
        if said["command"] == "grow_blood_garnets" or (said["command"] == "blood_garnets" and said["on"]):
            after = max(after, row.received_at)
    return blood.next_growth(match, after)
