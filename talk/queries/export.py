"""The export of all that one viewer may read of the talk of a match or season, as JSON or text."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct, convert

from matches.infra.structs import filled
from matches.queries.match_info import Instant
from talk.models import Message
from talk.queries.channels import ChannelInfo, ChannelView, channels_of
from talk.queries.home import Home
from talk.queries.messages import MessageView, Said, Shown, messages_by_channel, said_at

MOST = 20_000
"""The most messages exported of one channel."""


class WholeChannel(ChannelInfo, frozen=True, kw_only=True):
    """A channel with all its messages, oldest first."""

    messages: list[MessageView]


class HomeName(Struct, frozen=True):
    """The id and title of a match or season."""

    id: str
    title: str


class Export(Struct, frozen=True):
    """Everything that you may read."""

    match: HomeName | None
    season: HomeName | None
    exported_at: Instant
    gifts: list[Said]
    channels: list[WholeChannel]
    released: list[MessageView]
    """What others have released from their confessionals."""


def exported(home: Home, now: datetime) -> Export:
    """Return the export as a struct."""
    rooms, lines = channels_of(home), messages_by_channel(home, MOST)
    channels = [
        filled(WholeChannel, each, messages=convert(lines.get(each.token, []), list[MessageView], from_attributes=True))
        for each in rooms
    ]
    name = HomeName(home.id, home.title)
    of_match, of_season = (name, None) if home.of == "match" else (None, name)
    released = convert(_released(lines, rooms), list[MessageView], from_attributes=True)
    return Export(of_match, of_season, now, said_at(home), channels, released)


def as_text(home: Home, now: datetime) -> str:
    """Return the export as plain text."""
    parts = [f"Talk in {home.title} as of {_in_words(now)}\n"]
    said = [f"{_in_words(each.at)}  {each.player}: {each.text}" for each in said_at(home) if each.text]
    if said:
        parts += ["\n== Messages with gifts ==", *said]
    rooms, lines = channels_of(home), messages_by_channel(home, MOST)
    for channel in rooms:
        parts.append(f"\n== {channel.title} ==\n{channel.readers}\n")
        parts += [_line(line) for line in lines.get(channel.token, [])]
    if released := _released(lines, rooms):
        parts += ["\n== Confessionals ==\nWhat members have released.\n", *map(_line, released)]
    return "\n".join(parts)


def _released(lines: Mapping[str, list[Shown]], rooms: Sequence[ChannelView]) -> list[Shown]:
    """The messages that the viewer may read in other channels: those released from confessionals."""
    others = lines.keys() - {each.token for each in rooms}
    return sorted((line for token in others for line in lines[token]), key=lambda line: line.pk)


def _line(line: Shown) -> str:
    role = "" if line.role in ("player", "member") else f" ({Message.Role(line.role).label})"
    role += " (released)" if line.released else ""
    text = f"[hidden by {line.hidden.by}: {line.hidden.reason}]" if line.hidden else line.text
    return f"{_in_words(line.at)}  {line.name}{role}: " + text.replace("\n", "\n    ")


def _in_words(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
