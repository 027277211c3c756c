"""What readers have reported, for the hosts."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from matches.models import Match, Submission
from seasons.models import Season, SeasonRow
from talk.models import Message, Report
from talk.queries import messages
from talk.queries.home import Home
from talk.queries.messages import Said, Shown, said_at
from talk.queries.rights import PUBLIC

LEAVE = "leave_message"
"""The command in the log by which hosts let a reported message stay."""


class Decision(NamedTuple):
    """Hosts let a reported message stay: who decided it, why and when."""

    by: str
    reason: str
    at: datetime


class Complaint(NamedTuple):
    """One reader's report. `handle`: their place if they play in the match, as everybody knows them there; `account`:
    their username, of whom only watches."""

    handle: str
    account: str
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
    """What a host may hide under this name, and whether everybody could read it: a message that they can read or that
    somebody has reported to them, or what was said with a gift. None for everything else, and everybody else."""
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


def reported_in(home: Home, most: int = 100) -> list[Reported]:
    """The reported messages, those that nobody has looked at first. Only for those who moderate."""
    rows = _rows(home).filter(reports__isnull=False).distinct().order_by("-pk")[:most]
    found, left = [], _left_in(home.row)
    places = {each.user_id: handle for handle, each in home.people.items()}
    for row in rows:
        reports = list(Report.objects.filter(message=row).select_related("by").order_by("pk"))
        (shown,) = messages.shown_to(home, [row])
        found.append(
            Reported(
                shown,
                row.channel.kind == PUBLIC,
                tuple(
                    Complaint(places.get(each.by_id, ""), each.by.username, each.reason, each.at) for each in reports
                ),
                all(each.settled_at is not None for each in reports),
                left.get(row.token),
            )
        )
    return sorted(found, key=lambda each: each.is_settled)


def answer_to(home: Home, message: Message) -> Decision | None:
    """What hosts decided after this reader had reported a message that stays; None before that, and for others."""
    if not home.user.is_authenticated:
        return None
    settled = Report.objects.filter(message=message, by_id=home.user.pk).exclude(settled_at=None)
    return _left_in(home.row).get(message.token) if settled.exists() else None


def _rows(home: Home) -> QuerySet[Message]:
    return Message.objects.filter(**home.rows).select_related("player", "member", "hidden_by", "channel")


def _left_in(row: Match | Season) -> dict[str, Decision]:
    """The latest decision about each reported message that hosts let stay, by the message's token."""
    kind = Submission.Kind.COMMAND if isinstance(row, Match) else SeasonRow.Kind.TALK
    rows: Any = row.log.filter(kind=kind, payload__startswith=f'{{"command":"{LEAVE}",')
    found = {}
    for each in rows.order_by("number"):
        payload = json.loads(each.payload)
        found[payload["message"]] = Decision(each.actor.removeprefix("host:"), payload["reason"], each.received_at)
    return found
