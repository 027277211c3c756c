"""What readers have reported, for a match's hosts."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple

from matches.models import Match, Submission
from matches.queries.access import Viewer
from matches.services.roles import is_insider
from talk.models import Message, Report
from talk.queries import messages, rights
from talk.queries.messages import Said, Shown, said_in

LEAVE = "leave_message"
"""The command in the match's log by which hosts let a reported message stay."""


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


def may_moderate(viewer: Viewer) -> bool:
    """Whether this viewer sees reports and hides messages: hosts, and superusers who have opened the console."""
    return viewer.is_host and is_insider(viewer.match, viewer.user)


def to_hide(viewer: Viewer, token: str) -> tuple[Shown, bool] | None:
    """What a host may hide under this name, and whether everybody could read it: a message that they can read or that
    somebody has reported to them, or what was said with a gift. None for everything else, and everybody else."""
    if not may_moderate(viewer):
        return None
    row = (
        Message.objects.filter(match=viewer.match, token=token).select_related("player", "hidden_by", "channel").first()
    )
    if row is not None:
        if not row.reports.exists() and messages.one_message(viewer, token) is None:
            return None
        return messages.shown_to(viewer, [row])[0], row.channel.kind == rights.PUBLIC
    said = next((each for each in said_in(viewer.match) if each.id == token), None)
    return None if said is None else (_as_message(viewer, said), True)


def _as_message(viewer: Viewer, said: Said) -> Shown:
    names = {player.handle: player.shown_name for player in viewer.match.players.all()}
    return Shown(
        id=said.id,
        pk=0,
        player=said.player,
        name=names.get(said.player, said.player),
        role="player",
        text=said.text,
        at=said.at,
        mine=False,
        names_me=False,
        hidden=said.hidden,
        channel="",
    )


def reported_in(viewer: Viewer, most: int = 100) -> list[Reported]:
    """The reported messages of a match, those that nobody has looked at first. Only for those who `may_moderate`."""
    rows = Message.objects.filter(match=viewer.match, reports__isnull=False).distinct().order_by("-pk")[:most]
    rows = rows.select_related("player", "hidden_by", "channel")
    found, left = [], _left_in(viewer.match)
    places = {player.user_id: player.handle for player in viewer.match.players.all()}
    for row in rows:
        reports = list(Report.objects.filter(message=row).select_related("by").order_by("pk"))
        (shown,) = messages.shown_to(viewer, [row])
        found.append(
            Reported(
                shown,
                row.channel.kind == rights.PUBLIC,
                tuple(
                    Complaint(places.get(each.by_id, ""), each.by.username, each.reason, each.at) for each in reports
                ),
                all(each.settled_at is not None for each in reports),
                left.get(row.token),
            )
        )
    return sorted(found, key=lambda each: each.is_settled)


def answer_to(viewer: Viewer, message: Message) -> Decision | None:
    """What hosts decided after this reader had reported a message that stays; None before that, and for others."""
    if not viewer.user.is_authenticated:
        return None
    settled = Report.objects.filter(message=message, by_id=viewer.user.pk).exclude(settled_at=None)
    return _left_in(viewer.match).get(message.token) if settled.exists() else None


def _left_in(match: Match) -> dict[str, Decision]:
    """The latest decision about each reported message that hosts let stay, by the message's token."""
    rows = match.log.filter(kind=Submission.Kind.COMMAND, payload__startswith=f'{{"command":"{LEAVE}",')
    found = {}
    for row in rows.order_by("number"):
        payload = json.loads(row.payload)
        found[payload["message"]] = Decision(row.actor.removeprefix("host:"), payload["reason"], row.received_at)
    return found
