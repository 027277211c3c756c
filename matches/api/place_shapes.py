"""Who is away, more time, and invitations, as types: what the API answers and what is sent to it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from matches.api.codes import Codes
from matches.api.shapes import Instant
from matches.services.absences import LONGEST_REASON

# -- a player's own place ---------------------------------------------------------------------------


class AwayTime(Struct):
    """Somebody is away, or will be. `bot`: a bot plays for them meanwhile."""

    player: str
    since: Instant
    until: Instant
    bot: bool
    is_now: bool


class OwnAway(AwayTime):
    """Your own. `noted_by`: the host who has noted it, empty if it was you; hosts read the reason, too."""

    reason: str
    noted_by: str


class PlaceView(Struct):
    """Your place. `bots_stand_in`: whether a bot can play for those who are away; `bot_plays`: whether one plays now.
    `away`: other players' absences."""

    player: str
    bots_stand_in: bool
    bot_plays: bool
    own: OwnAway | None
    away: list[AwayTime]


class _Away(Struct, forbid_unknown_fields=True, kw_only=True):
    since: Instant
    until: Instant
    reason: Annotated[str, Meta(max_length=LONGEST_REASON)] = ""
    bot: bool = False


class SayAway(_Away, tag_field="do", tag="away"):
    """You are away from then to then, instead of what was noted before."""


class SayBack(Struct, forbid_unknown_fields=True, tag_field="do", tag="back"):
    """You are back: no absence of yours counts any more, and a bot that plays for you stops."""


OwnDoing = SayAway | SayBack

# -- what is refused --------------------------------------------------------------------------------

_TEXT: Codes = {422: {"text_not_visible": "It has several lines, or characters that nobody sees."}}

OF_AN_ABSENCE: Codes = {
    409: {
        "absence_times": "It ends before it begins, or has ended, or is too long, or too far ahead.",
        "no_bots_stand_in": "In this match no bot plays for those who are away.",
        "command_refused": "Not in this match, or not now.",
    },
    **_TEXT,
}

OF_A_PLACE: Codes = {
    429: {"too_often": "You have said that you are away too often in this match. Try again later."},
    409: {
        **OF_AN_ABSENCE[409],
        "not_away": "You are not away, and no bot plays for you.",
        "bot_plays": "A bot of the site plays for you: come back first.",
    },
    **_TEXT,
}
