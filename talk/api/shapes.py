"""What the API of talk answers, as types, and what it refuses a request with."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from matches.api import codes
from matches.api.codes import Codes
from matches.api.shapes import Instant, Next


class Choices(Struct):
    """What the hosts chose about talk."""

    public: bool
    spectators: bool
    team: bool
    private: bool
    speeches: bool
    hosts_read: bool


class Hidden(Struct):
    """Which host has hidden it, why, and when."""

    by: str
    reason: str
    at: Instant


class Speech(Struct):
    """What somebody said with a gift."""

    id: str
    player: str
    text: str
    at: Instant
    hidden: Hidden | None


class Channel(Struct):
    """A channel that you may read. `channel` is its place in addresses, `readers` a sentence."""

    channel: str
    kind: Literal["public", "team", "private"]
    title: str
    players: list[str]
    readers: str


class OwnChannel(Channel):
    """The same with how many messages you have not read, and whether you may write (or else why not)."""

    unread: int
    may_write: bool
    why_not: str | None


class Message(Struct):
    """A message. A hidden one has no text. `names_me`: it mentions you."""

    id: str
    at: Instant
    player: str | None
    name: str
    role: Literal["player", "host", "spectator"]
    text: str
    mine: bool
    names_me: bool
    hidden: Hidden | None


class Talk(Struct):
    """The talk of a match, as you may read it. `closes_at`: when writing ends, once the match is over."""

    choices: Choices
    gifts: list[Speech]
    closes_at: Instant | None
    channels: list[OwnChannel]


class Messages(Struct):
    """Messages of one channel."""

    channel: OwnChannel
    messages: list[Message]
    next: Next


class Found(Struct):
    """Messages of all channels, the newest first."""

    messages: list[Message]
    next: Next


class WholeChannel(Channel):
    """A channel with everything in it, the oldest first."""

    messages: list[Message]


class MatchName(Struct):
    """Which match it is."""

    id: str
    title: str


class Export(Struct):
    """Everything that you may read."""

    match: MatchName
    exported_at: Instant
    gifts: list[Speech]
    channels: list[WholeChannel]


class To(Struct, forbid_unknown_fields=True):
    """With whom: handles of players."""

    to: list[str]


class Last(Struct, forbid_unknown_fields=True):
    """The message up to which you have read."""

    message: str


class Opened(Struct):
    """The channel is there."""

    accepted: Literal[True]
    channel: str


class Posted(Struct):
    """The message is there."""

    accepted: Literal[True]
    message: Message


_WHO_MAY_WRITE: Codes = {
    403: {
        "not_a_player": "Only players can do this.",
        "talk_not_open": "Talk has not begun.",
        "talk_closed": "The match has been over for a week.",
        "only_participants": "Only players and hosts write here.",
        "only_readers": "You may read this but not write in it.",
        "only_observes": "You observe this match, so you cannot write in it.",
        "no_private_talk": "This match has no private talk.",
        "no_such_player": "These are not players to whom you can write.",
    },
    429: {
        "too_many_messages": "You have written too much today.",
        "too_many_channels": "You have opened too many channels today.",
    },
}

READING_MUCH = codes.together(codes.OF_A_MATCH, codes.COUNTED)
WRITING = codes.together(READING_MUCH, codes.CHANGING, codes.WITH_A_KEY, codes.OF_A_TEXT, _WHO_MAY_WRITE)
GIVING = codes.together(WRITING, {409: {"not_your_decision": "You are not asked for a gift now."}})
