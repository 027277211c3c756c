"""Commands of hosts that publish, start, cancel and retry a match. Each is one transaction and a row of the log.

All raise `CommandRefused` with a sentence if the command cannot be carried out now, and
`NotAHost` if the person does not host the match.
"""

from datetime import datetime, timedelta
from typing import Any

from matches.engine.step import EVERYONE
from matches.infra.text import iso, moment_in_words
from matches.models import Match
from matches.models.clock import MatchClock
from matches.services import opening
from matches.services.commands import command, command_row, need_reason, need_status
from matches.services.errors import CommandRefused, retrying
from matches.services.opening import tell_unequal

FURTHEST_START = timedelta(days=366)
"""How far ahead a match can begin at most."""


def check_start(start: datetime, now: datetime) -> None:
    """Raise `CommandRefused` for a start that is in the past or too far ahead."""
    if start < now:
        said = f"That is in the past: it is now {moment_in_words(now)}. Choose a later time, or start the match now."
        raise CommandRefused(said, field="starts_at")
    if start > now + FURTHEST_START:
        raise CommandRefused("That is more than a year ahead. Choose an earlier start time.", field="starts_at")


def check_ready(match: Match, open_places: str, *, now: bool = False) -> None:
    """Raise `CommandRefused` if the match cannot be published for later, or cannot open `now`. Sets `open_places`, one
    of `Match.OpenPlaces`, on the match if it is not empty, without saving it."""
    match.open_places = Match.OpenPlaces(open_places) if open_places else match.open_places
    if found := opening.problems_now(match) if now else opening.problems(match):
        raise CommandRefused("The match is not ready. " + " ".join(found))


@retrying
def publish(
    match: Match, host: Any, starts_at: datetime | None = None, open_places: str = "", *, key: str = ""
) -> None:
    """Announce the match to everyone, to start at an instant, or at once if it is None.

    Places may be open until then. `open_places`, one of `Match.OpenPlaces`, says what happens to them at the start;
    if empty, the match's own choice stays. Raises `AlreadyDone` for a repeated `key`.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, "draft", "scheduled", otherwise="You can publish a match only before it begins.")
        row = writer.match
        start = starts_at or writer.now
        check_start(start, writer.now)
        was_announced, before = row.status == Match.Status.SCHEDULED, row.starts_at
        published = {"starts_at": iso(before), "open_places": row.open_places} if was_announced else None
        check_ready(row, open_places, now=start == writer.now)
        row.status, row.starts_at, row.start_problem = Match.Status.SCHEDULED, start, ""
        data = {"starts_at": start.isoformat(), "open_places": row.open_places, "seed_hash": row.seed_hash}
        again = {"moved": True} if was_announced else {}
        entry = writer.record(command_row(writer, host, "publish", key=key, **data, earlier=published, **again))
        if was_announced and start not in (before, writer.now):  # if it begins now, the opening announces that
            moved = {"starts_at": start.isoformat(), "starts": moment_in_words(start)}
            earlier = {"before": moment_in_words(before)} if before else {}
            writer.announce(entry, EVERYONE, "start_moved", **moved, **earlier)
        tell_unequal(writer, entry)
        writer.touch_all()
        opening.open_due(writer)
        writer.pass_due()


def start_now(match: Match, host: Any, open_places: str = "") -> None:
    """Open the match at once."""
    publish(match, host, None, open_places)


@retrying
def unpublish(match: Match, host: Any) -> None:
    """Make a coming match a draft again."""
    with command(match, host) as writer:
        need_status(writer, "scheduled", otherwise="You can unpublish only an upcoming match.")
        row = writer.match
        row.status, row.starts_at, row.start_problem = Match.Status.DRAFT, None, ""
        writer.record(command_row(writer, host, "unpublish"))
        writer.touch_all()


@retrying
def cancel(match: Match, host: Any, reason: str) -> None:
    """End the match without a result. Nothing is erased."""
    # A match whose rules fail must be cancellable without them.
    with command(match, host, settle=not is_at_fault(match)) as writer:
        need_status(writer, *Match.BEFORE, *Match.RUNNING, otherwise="You cannot cancel it now.")
        row, reason = writer.match, need_reason(reason)
        if row.status == Match.Status.DRAFT:
            row.starts_at = None  # the draft's start was never announced
        row.set_clock(MatchClock(None, writer.time))
        row.status, row.finished_at = Match.Status.CANCELLED, writer.now
        entry = writer.record(command_row(writer, host, "cancel", reason=reason))
        writer.announce(entry, EVERYONE, "match_cancelled", reason=reason)
        writer.touch_all()


def is_at_fault(match: Match) -> bool:
    """Whether the match's rules failed or are unknown here, so that commands must do without them."""
    return not match.rules.is_known or Match.objects.filter(pk=match.pk).exclude(fault="").exists()


@retrying
def clear_fault(match: Match, host: Any) -> None:
    """Let the sweep try a match again that was set aside because its rules failed."""
    with command(match, host, settle=False) as writer:
        failures = [writer.match.failures, 0]  # not the error message, which may contain sealed bids
        writer.match.failures, writer.match.fault = 0, ""
        writer.record(command_row(writer, host, "clear_fault", failures=failures))
