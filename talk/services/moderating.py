"""Reports of messages, and hiding them."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from matches.models import Match, clock
from matches.queries.access import viewer_of
from matches.queries.host_acts import FOR_HOSTS
from matches.services.commands import command, command_row
from matches.services.errors import CommandRefused
from matches.services.storage.retry import retrying
from matches.services.writer import Writer
from talk.models import Channel, Message, Report, Speech
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


@retrying
def hide(match: Match, host: Any, token: str, reason: str) -> None:
    """Hide a message, or what was said with a gift, from everybody, for a reason that its readers see. Logged; the text
    stays stored. What hosts did says so to everybody, with the reason only where the message was public. Raises
    `CommandRefused`, `NotAHost`, `BadText`."""
    reason = limits.cleaned(reason, longest=limits.LONGEST_REASON, field="reason")
    with command(match, host, settle=False) as writer:
        if to_hide(viewer_of(writer.match, host), token) is None:
            raise CommandRefused("There is no such message, or you cannot read it.")
        found = _found(writer.match, token)
        if found.hidden_at is not None:
            return
        found.hidden_at, found.hidden_by, found.hidden_reason = writer.now, host, reason
        found.save(update_fields=["hidden_at", "hidden_by", "hidden_reason"])
        if isinstance(found, Message):
            found.reports.filter(settled_at=None).update(settled_at=writer.now)
            transaction.on_commit(partial(_tell, found))
        _log(writer, host, found, reason)


def _found(match: Match, token: str) -> Message | Speech:
    message = Message.objects.select_related("channel").filter(match=match, token=token).first()
    return message or Speech.objects.get(match=match, token=token)


def _log(writer: Writer, host: Any, found: Message | Speech, reason: str) -> None:
    is_private = isinstance(found, Message) and found.channel.kind != Channel.Kind.PUBLIC
    reasons = {"why": reason} if is_private else {"reason": reason}
    writer.record(command_row(writer, host, COMMAND, message=found.token, said="hid a message", **reasons))
    if isinstance(found, Speech):
        writer.touch(public=True)  # it is shown beside the gift, on the board
    writer.save()


@retrying
def leave_as_it_is(match: Match, host: Any, token: str, reason: str) -> None:
    """Decide that a reported message stays, for a reason that its reporters see. Logged; until the match is over only
    for hosts, since it tells that somebody has reported something. Raises `NotAHost`, `BadText`."""
    reason = limits.cleaned(reason, longest=limits.LONGEST_REASON, field="reason")
    with command(match, host, settle=False) as writer:
        reports = Report.objects.filter(message__match=writer.match, message__token=token, settled_at=None)
        if not reports.update(settled_at=writer.now):
            return
        payload = {"message": token, "said": "left a reported message as it is", "reason": reason, **FOR_HOSTS}
        writer.record(command_row(writer, host, LEAVE, **payload))
        writer.save()


def _tell(message: Message) -> None:
    channels.message_hidden.send(
        sender=Message, message_id=message.pk, channel_id=message.channel_id, match_id=message.match_id
    )
