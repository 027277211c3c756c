"""Moderation of talk: reports of messages, and hiding them."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from matches.models import Match, Submission, clock
from matches.queries.host_acts import FOR_HOSTS
from matches.services.commands import command, command_row
from matches.services.errors import CommandRefused, retrying
from seasons.models import Season, SeasonRow
from seasons.services.running import commanded
from seasons.services.writer import Kind
from talk.models import Channel, Message, Report, Speech
from talk.queries import messages
from talk.queries.channels import home_of
from talk.queries.home import Home
from talk.queries.messages import QUOTES, Said, Shown, said_at, without_quotes
from talk.queries.rights import PUBLIC
from talk.services import channels, limits

# -- what readers have reported, for the hosts ---------------------------------------------------------------

LEAVE = "leave_message"
"""The log's name of the command by which hosts let a reported message stay."""


class Decision(NamedTuple):
    """A decision to let a reported message stay: by whom, why and when."""

    by: str
    reason: str
    at: datetime


class Complaint(NamedTuple):
    """One reader's report. `handle` and `name`: their place in the match or season; for spectators, the username."""

    handle: str
    name: str
    reason: str
    at: datetime


class Reported(NamedTuple):
    """A message and its reports. `left`: the hosts' latest decision to let it stay."""

    message: Shown
    is_public: bool
    reports: tuple[Complaint, ...]
    is_settled: bool
    left: Decision | None


def to_hide(home: Home, token: str) -> tuple[Shown, bool] | None:
    """Return what the viewer may hide under this token, and whether everybody could read it; or None. It can be a
    message that they can read or that was reported, or a message with a gift."""
    if not home.moderates:
        return None
    row = _rows(home).filter(token=token).first()
    if row is not None:
        if not row.reports.exists() and messages.one_message(home, token) is None:
            return None
        return messages.shown_to(home, [row])[0], row.channel.kind == PUBLIC
    said = next((each for each in said_at(home) if each.id == token), None)
    return None if said is None else (_as_message(home, said), True)


def _as_message(home: Home, said: Said) -> Shown:
    return Shown(
        id=said.id,
        pk=0,
        player=said.player,
        member=None,
        name=home.people[said.player].shown_name if said.player in home.people else said.player,
        role="player",
        text=said.text,
        at=said.at,
        mine=False,
        names_me=False,
        hidden=said.hidden,
        channel="",
    )


_MOST_REPORTED = 100


def reported_in(home: Home) -> list[Reported]:
    """Return the reported messages, undecided ones first. Call it only for those who moderate."""
    reported = Report.objects.filter(message=OuterRef("pk"))
    is_open = Exists(reported.filter(settled_at=None))
    rows = _rows(home).filter(Exists(reported)).order_by(is_open.desc(), "-pk")[:_MOST_REPORTED]
    found, left = [], _left_in(home.row)
    places = {each.user_id: handle for handle, each in home.people.items()}
    names = {each.user_id: each.shown_name for each in home.people.values()}
    for row in rows:
        reports = list(Report.objects.filter(message=row).select_related("by").order_by("pk"))
        (shown,) = messages.shown_to(home, [row])
        found.append(
            Reported(
                shown,
                row.channel.kind == PUBLIC,
                tuple(
                    Complaint(
                        places.get(each.by_id, ""),
                        names.get(each.by_id, each.by.username),
                        each.reason,
                        each.at,
                    )
                    for each in reports
                ),
                all(each.settled_at is not None for each in reports),
                left.get(row.token),
            )
        )
    return sorted(found, key=lambda each: each.is_settled)


def answer_to(home: Home, message: Message) -> Decision | None:
    """Return the hosts' decision to let a message stay that this reader had reported; None otherwise."""
    if not home.user.is_authenticated:
        return None
    settled = Report.objects.filter(message=message, by_id=home.user.pk).exclude(settled_at=None)
    return _left_in(home.row).get(message.token) if settled.exists() else None


def is_reported(home: Home, token: str) -> bool:
    """Whether somebody has reported the message. Call it only for those who moderate."""
    return Report.objects.filter(message__in=_rows(home).filter(token=token)).exists()


def _rows(home: Home) -> QuerySet[Message]:
    return Message.objects.filter(**home.rows).select_related("player", "member", "hidden_by", "channel")


def _left_in(row: Match | Season) -> dict[str, Decision]:
    """The latest decision about each reported message that hosts let stay, by the message's token."""
    kind = Submission.Kind.COMMAND if isinstance(row, Match) else SeasonRow.Kind.TALK
    rows: Any = row.log.filter(kind=kind, payload__startswith=f'{{"command":"{LEAVE}",')
    found = {}
    for each in rows.select_related("user").order_by("number"):
        payload = json.loads(each.payload)
        # By the account, since the log keeps the name of one that is deleted.
        found[payload["message"]] = Decision(each.user.username, payload["reason"], each.received_at)
    return found


# -- reporting and hiding ------------------------------------------------------------------------------------

COMMAND = "hide_message"


@retrying
def report(message: Message, user: Any, reason: str) -> Report:
    """Report a message to the hosts. A second report of the same reader replaces the first, and hosts have to decide
    again. The caller has checked that the person may read it. Raises `BadText`, `TooMuch`."""
    reason = limits.cleaned(reason, longest=limits.LONGEST_REASON, field="reason")
    with transaction.atomic():
        limits.need_reports_left(user)
        now = {"reason": reason, "at": clock.now(), "settled_at": None}
        found, _ = Report.objects.update_or_create(message=message, by_id=user.pk, defaults=now)
    return found


Record = Callable[..., None]
"""Records a command with its payload in the log; `on_board`: it changes the match's board."""


@contextmanager
def logging(row: Match | Season, host: Any) -> Iterator[tuple[Match | Season, datetime, Record]]:
    """Lock the match or season for moderation. Yields it, the time, and what records in its log. Raises `NotAHost`."""
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
            of_season.record(Kind.TALK, {"command": name, **payload}, user=host)

        yield of_season.season, of_season.now, record_there


@retrying
def hide(place: Match | Season, host: Any, token: str, reason: str) -> None:
    """Hide a message, or a message with a gift, from everybody, with a reason that its readers see. Logged; the text
    stays stored. The log tells everybody, with the reason only if the message was public. Raises `CommandRefused`,
    `NotAHost`, `BadText`."""
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
        # The board shows messages with gifts.
        record(COMMAND, message=found.token, said="hid a message", on_board=isinstance(found, Speech), **reasons)
        if isinstance(found, Message):
            found.reports.filter(settled_at=None).update(settled_at=now)
            at = {"message_id": found.pk, "channel_id": found.channel_id, "match_id": found.match_id}
            transaction.on_commit(partial(channels.message_hidden.send, Message, **at))


_QUOTED = 60  # characters by which a quotation is recognised


def quoting(home: Home, token: str) -> int:
    """Return how many messages still quote this one, in the form in which pages quote (static/js/talk.js)."""
    said = Message.objects.filter(token=token, **home.rows).first()
    words = "" if said is None else without_quotes(said.text)[:_QUOTED]
    if said is None or not words:
        return 0
    others = Message.objects.filter(channel=said.channel_id, hidden_at=None, pk__gt=said.pk)
    return others.filter(text__contains=f"{QUOTES}{said.name}: {words}").count()


@retrying
def leave_as_it_is(place: Match | Season, host: Any, token: str, reason: str) -> None:
    """Let a reported message stay, with a reason that its reporters see. Logged, only for hosts until the match is
    over, as it reveals that there was a report. Raises `NotAHost`, `BadText`."""
    reason = limits.cleaned(reason, longest=limits.LONGEST_REASON, field="reason")
    with logging(place, host) as (row, now, record):
        of = "message__match" if isinstance(row, Match) else "message__season"
        reports = Report.objects.filter(**{of: row}, message__token=token, settled_at=None)
        if reports.update(settled_at=now):
            record(LEAVE, message=token, said="left a reported message as it is", reason=reason, **FOR_HOSTS)
