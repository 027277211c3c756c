"""Reports of messages, and hiding them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from matches.models import Match, clock
from matches.queries.host_acts import FOR_HOSTS
from matches.services.commands import actor_of, command, command_row
from matches.services.errors import CommandRefused
from matches.services.storage.retry import retrying
from seasons.models import Season
from seasons.services.running import commanded
from seasons.services.writer import Kind
from talk.models import Channel, Message, Report, Speech
from talk.queries.channels import home_of
from talk.queries.reports import LEAVE, to_hide
from talk.services import channels, limits

COMMAND = "hide_message"


@retrying
def report(message: Message, user: Any, reason: str) -> Report:
    """Show a message to the hosts, with a reason; once for each reader. Whoever calls this has checked that the person
    may read it. Raises `BadText`, `TooMuch`."""
    reason = limits.cleaned(reason, longest=limits.LONGEST_REASON, field="reason")
    with transaction.atomic():
        limits.need_reports_left(user)
        found, _ = Report.objects.get_or_create(
            message=message, by_id=user.pk, defaults={"reason": reason, "at": clock.now()}
        )
    return found


Record = Callable[..., None]
"""Given a command and the payload, makes a row of the log; `on_board` where the match's board changes."""


@contextmanager
def logging(row: Match | Season, host: Any) -> Iterator[tuple[Match | Season, datetime, Record]]:
    """The match or season, locked, for what a host does about its talk; the present instant, and what makes rows of its
    log. Raises `NotAHost`."""
    if isinstance(row, Match):
        with command(row, host, settle=False) as writer:

            def record(name: str, *, on_board: bool = False, **payload: Any) -> None:
                writer.record(command_row(writer, host, name, **payload))
                writer.touch(public=on_board)
                writer.save()

            yield writer.match, writer.now, record
        return
    with commanded(row, host) as of_season:

        def record_there(name: str, *, on_board: bool = False, **payload: Any) -> None:
            of_season.record(Kind.TALK, {"command": name, **payload}, actor=actor_of(host), user=host)

        yield of_season.season, of_season.now, record_there


@retrying
def hide(place: Match | Season, host: Any, token: str, reason: str) -> None:
    """Hide a message, or what was said with a gift, from everybody, for a reason that its readers see. Logged; the text
    stays stored. What hosts did says so to everybody, with the reason only where the message was public. Raises
    `CommandRefused`, `NotAHost`, `BadText`."""
    reason = limits.cleaned(reason, longest=limits.LONGEST_REASON, field="reason")
    with logging(place, host) as (row, now, record):
        home = home_of(row, host)
        if to_hide(home, token) is None:
            raise CommandRefused("There is no such message, or you cannot read it.")
        messages = Message.objects.select_related("channel").filter(token=token, **home.rows)
        found = messages.first() or Speech.objects.get(token=token, **home.rows)
        if found.hidden_at is not None:
            return
        found.hidden_at, found.hidden_by, found.hidden_reason = now, host, reason
        found.save(update_fields=["hidden_at", "hidden_by", "hidden_reason"])
        is_private = isinstance(found, Message) and found.channel.kind != Channel.Kind.PUBLIC
        reasons = {"why": reason} if is_private else {"reason": reason}
        # What was said with a gift is shown beside it, on the board.
        record(COMMAND, message=found.token, said="hid a message", on_board=isinstance(found, Speech), **reasons)
        if isinstance(found, Message):
            found.reports.filter(settled_at=None).update(settled_at=now)
            at = {"message_id": found.pk, "channel_id": found.channel_id, "match_id": found.match_id}
            transaction.on_commit(partial(channels.message_hidden.send, Message, **at))


@retrying
def leave_as_it_is(place: Match | Season, host: Any, token: str, reason: str) -> None:
    """Decide that a reported message stays, for a reason that its reporters see. Logged; until the match is over only
    for hosts, since it tells that somebody has reported something. Raises `NotAHost`, `BadText`."""
    reason = limits.cleaned(reason, longest=limits.LONGEST_REASON, field="reason")
    with logging(place, host) as (row, now, record):
        of = "message__match" if isinstance(row, Match) else "message__season"
        reports = Report.objects.filter(**{of: row}, message__token=token, settled_at=None)
        if reports.update(settled_at=now):
            record(LEAVE, message=token, said="left a reported message as it is", reason=reason, **FOR_HOSTS)
