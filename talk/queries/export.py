"""Everything that one viewer may read of a match's talk, as a file."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from matches.queries.access import Viewer
from talk.models import Message
from talk.queries.channels import ChannelView, channels_of
from talk.queries.messages import Shown, messages_after, said_in

MOST = 20_000
"""Messages of one channel."""


def as_json(viewer: Viewer, now: datetime) -> dict[str, Any]:
    """The channels with their messages, oldest first, as JSON values."""
    match = viewer.match
    return {
        "match": {"id": match.public_id, "title": match.title},
        "exported_at": _iso(now),
        "gifts": speeches_json(viewer),
        "channels": [
            channel_json(channel) | {"messages": [message_json(line) for line in _lines(viewer, channel)]}
            for channel in channels_of(viewer)
        ],
    }


def speeches_json(viewer: Viewer) -> list[dict[str, Any]]:
    """What was said with gifts, for programs."""
    return [
        {
            "id": said.token,
            "player": said.handle,
            "text": said.text,
            "at": _iso(said.at),
            "hidden": _hidden(said.hidden_by, said.hidden_reason, said.hidden_at),
        }
        for said in said_in(viewer.match)
    ]


def _hidden(by: str, reason: str, at: datetime | None) -> dict[str, str] | None:
    return None if at is None else {"by": by, "reason": reason, "at": _iso(at)}


def as_text(viewer: Viewer, now: datetime) -> str:
    """The same as plain text."""
    parts = [f"Talk of {viewer.match.title}, as it was on {_in_words(now)}\n"]
    said = [f"{_in_words(each.at)}  {each.handle}: {each.text}" for each in said_in(viewer.match) if each.text]
    if said:
        parts += ["\n== Said with gifts ==", *said]
    for channel in channels_of(viewer):
        parts.append(f"\n== {channel.title} ==\n{channel.readers}\n")
        parts += [_line(line) for line in _lines(viewer, channel)]
    return "\n".join(parts)


def _lines(viewer: Viewer, channel: ChannelView) -> list[Shown]:
    return messages_after(viewer, channel, "", MOST) if channel.pk is not None else []


def _line(line: Shown) -> str:
    role = "" if line.role == Message.Role.PLAYER else f" ({Message.Role(line.role).label})"
    text = f"[hidden by {line.hidden_by}: {line.hidden_reason}]" if line.is_hidden else line.text
    return f"{_in_words(line.at)}  {line.name}{role}: " + text.replace("\n", "\n    ")


def channel_json(channel: ChannelView) -> dict[str, Any]:
    """A channel for programs."""
    return {
        "channel": channel.address,
        "kind": channel.kind,
        "title": channel.title,
        "players": list(channel.people),
        "readers": channel.readers,
    }


def message_json(line: Shown) -> dict[str, Any]:
    """A message for programs; `hidden` says who hid it and why, and then there is no text."""
    return {
        "id": line.token,
        "at": _iso(line.at),
        "player": line.handle or None,
        "name": line.name,
        "role": line.role,
        "text": line.text,
        "mine": line.is_mine,
        "names_me": line.names_me,
        "hidden": _hidden(line.hidden_by, line.hidden_reason, line.hidden_at),
    }


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def _in_words(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
