"""Bodies of the API of talk, requests and answers, and the codes with which it refuses."""

from typing import Literal

from msgspec import Struct

from matches.api import codes
from matches.api.codes import Codes
from matches.api.shapes import Next
from matches.queries.match_info import Instant
from talk.queries.channels import OwnChannel
from talk.queries.messages import MessageView, Said
from talk.queries.rights import Choices, SeasonChoices
from talk.services import posting


class Talk(Struct):
    """The talk of a match that you may read. `closes_at`: when writing ends, once the match is over."""

    choices: Choices
    gifts: list[Said]
    closes_at: Instant | None
    channels: list[OwnChannel]


class SeasonTalk(Struct):
    """The talk of a season that you may read: the rooms that everybody has, then those with the latest messages
    (`rooms/` lists all). `closes_at`: when writing ends, once the season is over."""

    choices: SeasonChoices
    closes_at: Instant | None
    channels: list[OwnChannel]
    next: Next


class Rooms(Struct):
    """Rooms, the newest first."""

    channels: list[OwnChannel]
    next: Next


class Messages(Struct):
    """Messages of one channel."""

    channel: OwnChannel
    messages: list[MessageView]
    next: Next


class Found(Struct):
    """Messages of all channels, the newest first."""

    messages: list[MessageView]
    next: Next


class To(Struct, forbid_unknown_fields=True):
    """Whom to write to: handles of players or members. `title` names the room if it is new."""

    to: list[str]
    title: str = ""


class Written(Struct, forbid_unknown_fields=True):
    """A message to write. `publish` releases a text in your confessional, for everybody to read after the season."""

    text: str
    publish: bool = False


class Last(Struct, forbid_unknown_fields=True):
    """The message up to which you have read."""

    message: str


class Opened(Struct):
    """The private channel that was opened, or existed already."""

    accepted: Literal[True]
    channel: str


class Posted(Struct):
    """The message is stored."""

    accepted: Literal[True]
    message: MessageView


_WHO_MAY_WRITE: Codes = {
    403: {
        "not_a_player": "Only players can do this.",
        "talk_not_open": "Talk has not begun.",
        "talk_closed": "The match or season has been over for a week, or the site has published this talk.",
        "only_participants": "Only players and hosts can write here.",
        "only_readers": "You may read this but not write in it.",
        "only_observes": "You are observing this match, so you cannot write in it.",
        "no_private_talk": "This match or season has no private talk.",
        "no_such_player": "You cannot write to these players or members.",
        "quiet": "This room is closed for a while. The message says until when.",
    },
    429: {
        "too_many_messages": "You have written too much today.",
        "too_many_channels": "You have opened too many private rooms here.",
    },
}

READING_MUCH = codes.together(codes.OF_A_MATCH, codes.COUNTED)
WRITING = codes.together(READING_MUCH, codes.CHANGING, codes.WITH_A_KEY, codes.OF_A_TEXT, _WHO_MAY_WRITE)
GIVING = codes.together(WRITING, {409: {"not_your_decision": posting.NO_GIFT}})
