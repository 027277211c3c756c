"""What readers have reported, for a match's hosts."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from matches.queries.access import Viewer
from matches.services.insiders import is_insider
from talk.models import Message, Report
from talk.queries import messages, rights
from talk.queries.messages import Shown
from talk.queries.speeches import Said, said_in


class Reported(NamedTuple):
    """A message and its reports: who, why and when."""

    message: Shown
    is_public: bool
    reports: tuple[tuple[str, str, datetime], ...]
    is_settled: bool


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
    said = next((each for each in said_in(viewer.match) if each.token == token), None)
    return None if said is None else (_as_message(viewer, said), True)


def _as_message(viewer: Viewer, said: Said) -> Shown:
    names = {player.handle: player.shown_name for player in viewer.match.players.all()}
    return Shown(
        token=said.token,
        pk=0,
        handle=said.handle,
        name=names.get(said.handle, said.handle),
        role=Message.Role.PLAYER,
        text=said.text,
        at=said.at,
        is_mine=False,
        names_me=False,
        hidden_by=said.hidden_by,
        hidden_reason=said.hidden_reason,
        hidden_at=said.hidden_at,
    )


def reported_in(viewer: Viewer, most: int = 100) -> list[Reported]:
    """The reported messages of a match, those that nobody has looked at first. Only for those who `may_moderate`."""
    rows = Message.objects.filter(match=viewer.match, reports__isnull=False).distinct().order_by("-pk")[:most]
    rows = rows.select_related("player", "hidden_by", "channel")
    found = []
    for row in rows:
        reports = list(Report.objects.filter(message=row).select_related("by").order_by("pk"))
        (shown,) = messages.shown_to(viewer, [row])
        found.append(
            Reported(
                shown,
                row.channel.kind == rights.PUBLIC,
                tuple((each.by.username, each.reason, each.at) for each in reports),
                all(each.settled_at is not None for each in reports),
            )
        )
    return sorted(found, key=lambda each: each.is_settled)
