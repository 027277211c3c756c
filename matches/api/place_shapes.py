"""Who is away, more time, and invitations, as types: what the API answers and what is sent to it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from matches.api.codes import Codes
from matches.api.shapes import Instant
from matches.engine.views import MatchTime
from matches.services.absences import LONGEST_REASON
from matches.services.invitations import LONGEST as LONGEST_LINK
from matches.services.invitations import LONGEST_LABEL

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
    """Your place. `grace_by`: match time by which a grace moves the running deadline. `bots_stand_in`: whether a bot
    can play for those who are away; `bot_plays`: whether one plays for you now. `away`: other players' absences."""

    player: str
    graces: int
    graces_left: int
    grace_by: MatchTime
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


class TakeGrace(Struct, forbid_unknown_fields=True, tag_field="do", tag="grace"):
    """Move the running deadline, and with it all later ones, for everybody."""


OwnDoing = SayAway | SayBack | TakeGrace

# -- for hosts --------------------------------------------------------------------------------------


class Absences(Struct):
    """Who is away or will be."""

    absences: list[OwnAway]


class NoteAway(_Away):
    """A host notes that a player is away."""

    player: str


Number = Annotated[int, Meta(ge=1, le=2**53)]
Became = Literal["", "used", "revoked", "replaced", "expired"]


class InvitationView(Struct):
    """An invitation. `place`: the handle; `takes_over`: somebody plays there until the link is used. `sent_to`: for
    whom it is meant, or who has used it. `became`: what became of it, empty while it works; `link` only while it
    does."""

    number: int
    place: str
    takes_over: bool
    sent_to: str
    made_at: Instant | None
    made_by: str
    opened_at: Instant | None
    expires_at: Instant | None
    became: Became
    became_at: Instant | None
    link: str | None


class OpenPlace(Struct):
    """A place that nobody has, and the link with which one person can take it."""

    place: str
    link: str


class Invitations(Struct):
    """The open places, and the invitations that were made, sent or used, the latest first."""

    open: list[OpenPlace]
    invitations: list[InvitationView]


class Invite(Struct, forbid_unknown_fields=True, tag_field="do", tag="invite"):
    """A new link to a place; earlier links to it no longer work. `sent_to`: the username of who gets it as a notice.
    `label`: a note for hosts. `lasts`: for how many seconds it works, null for as long as the place is as it is."""

    place: str
    sent_to: str | None = None
    label: Annotated[str, Meta(max_length=LONGEST_LABEL)] = ""
    lasts: Annotated[int, Meta(gt=0, le=int(LONGEST_LINK.total_seconds()))] | None = None


class SendAgain(Struct, forbid_unknown_fields=True, tag_field="do", tag="send_again"):
    """The same link to the same person once more."""

    number: Number


class Revoke(Struct, forbid_unknown_fields=True, tag_field="do", tag="revoke"):
    """The link no longer works, from this moment."""

    number: Number


InvitationDoing = Invite | SendAgain | Revoke


class InvitationDone(Struct):
    """It was done, and how the invitation stands now."""

    accepted: Literal[True]
    invitation: InvitationView


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
        "no_deadline": "No deadline is running that could be moved.",
        "grace_taken": "This deadline has been moved by a grace already.",
        "no_grace_left": "You have no grace left in this match.",
    },
    **_TEXT,
}

OF_HOSTS: Codes = {
    403: {"not_a_host": "Only hosts of this match do that, and nobody hosts a match they play in."},
    409: {"command_refused": "Not in this match, or not now."},
}

COMMANDING: Codes = {
    403: {"only_observes": "You observe this match, so you cannot give commands."},
    409: {"already_done": "This key of yours was used before."},
}

OF_AN_INVITATION: Codes = {
    404: {"unknown_place": "There is no such place in this match.", "unknown_person": "There is no such person."},
    409: {"invitation_gone": "It no longer works anyway: it was used, revoked, replaced, or is over."},
    **_TEXT,
}
