"""Everything that one viewer may read of a match's talk, as a file."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct, convert

from matches.queries.access import Viewer
from matches.queries.match_info import Instant
from talk.models import Message
from talk.queries.channels import ChannelInfo, ChannelView, channels_of
from talk.queries.messages import MessageView, Said, Shown, messages_after, said_in

MOST = 20_000
"""Messages of one channel."""


class WholeChannel(ChannelInfo, frozen=True, kw_only=True):
    """A channel with everything in it, the oldest first."""

    messages: list[MessageView]


class MatchName(Struct, frozen=True):
    """Which match it is."""

    id: str
    title: str


class Export(Struct, frozen=True):
    """Everything that you may read."""

    match: MatchName
    exported_at: Instant
    gifts: list[Said]
    channels: list[WholeChannel]


def exported(viewer: Viewer, now: datetime) -> Export:
    """The channels with their messages, oldest first."""
    match = viewer.match
    channels = [
        WholeChannel(
            channel=each.channel,
            kind=each.kind,
            title=each.title,
            players=each.players,
            readers=each.readers,
            messages=convert(_lines(viewer, each), list[MessageView], from_attributes=True),
        )
        for each in channels_of(viewer)
    ]
    return Export(MatchName(match.public_id, match.title), now, said_in(match), channels)


def as_text(viewer: Viewer, now: datetime) -> str:
    """The same as plain text."""
    parts = [f"Talk of {viewer.match.title}, as it was on {_in_words(now)}\n"]
    said = [f"{_in_words(each.at)}  {each.player}: {each.text}" for each in said_in(viewer.match) if each.text]
    if said:
        parts += ["\n== Said with gifts ==", *said]
    for channel in channels_of(viewer):
        parts.append(f"\n== {channel.title} ==\n{channel.readers}\n")
        parts += [_line(line) for line in _lines(viewer, channel)]
    return "\n".join(parts)


def _lines(viewer: Viewer, channel: ChannelView) -> list[Shown]:
    return messages_after(viewer, channel, "", MOST).items if channel.pk is not None else []


def _line(line: Shown) -> str:
    role = "" if line.role == "player" else f" ({Message.Role(line.role).label})"
    text = f"[hidden by {line.hidden.by}: {line.hidden.reason}]" if line.hidden else line.text
    return f"{_in_words(line.at)}  {line.name}{role}: " + text.replace("\n", "\n    ")


def _in_words(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
