"""Commands of hosts that stop, start and move a match's clock. Each is one transaction and a row of the log.

All raise `CommandRefused` with a sentence where the command cannot be carried out now, and
`NotAHost` where the person does not host the match.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.match_time import seconds
from matches.engine.step import EVERYONE
from matches.models import Match
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused
from matches.services.hosting.lifecycle import is_at_fault
from matches.services.storage.retry import retrying, rules

LONGEST_EXTENSION = timedelta(days=30)


@retrying
def pause(match: Match, host: Any, reason: str = "") -> None:
    """Stop the match's clock; nothing is due and nothing is taken until it goes on."""
    with command(match, host, settle=not is_at_fault(match)) as writer:
        need_status(writer, "open", otherwise="Only a running match can be paused.")
        writer.match.pause_clock(writer.now, writer.time)
        writer.match.status = Match.Status.PAUSED
        entry = writer.record(command_row(writer, host, "pause", reason=reason))
        writer.announce(entry, EVERYONE, "match_paused", reason=reason)
        writer.touch_all()
        writer.save()


@retrying
def resume(match: Match, host: Any) -> None:
    """Let the clock go on from where it stood."""
    with command(match, host) as writer:
        need_status(writer, "paused", otherwise="Only a paused match can go on.")
        writer.match.resume_clock(writer.now)
        writer.match.status = Match.Status.OPEN
        entry = writer.record(command_row(writer, host, "resume"))
        writer.announce(entry, EVERYONE, "match_resumed")
        writer.touch_all()
        writer.save()


def check_extension(by: timedelta) -> None:
    """Raise `CommandRefused` for an extension (match time) that is no longer than 0, or too long."""
    if not timedelta() < by <= LONGEST_EXTENSION:
        raise CommandRefused(f"Extend by more than 0 and at most {LONGEST_EXTENSION.days} days.", field="by")


@retrying
def extend(match: Match, host: Any, by: timedelta, reason: str = "", *, key: str = "") -> None:
    """Make every deadline come `by` later: the clock stands still that long, play goes on.

    The same `key` a second time raises `AlreadyDone`: two clicks must not extend twice.
    """
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="Only a running match can be extended.")
        check_extension(by)
        writer.match.extend_clock(writer.now, writer.time, by)
        entry = writer.record(command_row(writer, host, "extend", by=seconds(by), reason=reason, key=key))
        takes = {"by": seconds(by), "takes": seconds(by / writer.match.speed)}
        writer.announce(entry, EVERYONE, "deadline_extended", **takes, reason=reason)
        writer.touch_all()
        writer.save()


@retrying
def close_deadline(match: Match, host: Any, reason: str = "", *, expected: timedelta | None = None) -> None:
    """Jump to the present deadline: it passes now, and everything behind it comes earlier.

    `expected` is the match time of the deadline that the host means: if another one is the next by
    now, nothing is closed.
    """
    with command(match, host) as writer:
        need_status(writer, "open", otherwise="Only a running match has a deadline to close.")
        with rules():
            due = writer.game.next_deadline(writer.state)
        if due is None:
            raise CommandRefused("There is no deadline to close.")
        if expected is not None and expected != due:
            raise CommandRefused("That deadline has moved or passed meanwhile. Look at the present one first.")
        writer.match.jump_clock(writer.now, due)
        entry = writer.record(command_row(writer, host, "close_deadline", reason=reason))
        writer.announce(entry, EVERYONE, "deadline_closed_early", reason=reason)
        writer.touch_all()
        writer.pass_due()
        writer.save()
