"""What the programs of a season's hosts read and send, as types, and what they are refused with."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from matches.api.codes import Codes
from matches.api.shapes import Instant, UsualHour
from matches.services.roles import MOST_PEOPLE
from seasons.api.shapes import SeasonLine
from seasons.services.cast import MOST_MEMBERS
from seasons.services.cast_list import MOST_AMOUNT

Title = Annotated[str, Meta(min_length=1, max_length=120)]
Description = Annotated[str, Meta(max_length=10_000)]
Handle = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.\-]{0,29}$")]
Reason = Annotated[str, Meta(max_length=200)]
Amount = Annotated[int, Meta(ge=0, le=MOST_AMOUNT)]
Blood = Annotated[Decimal, Meta(description="Blood garnets, with at most four decimals.")]


class HostedSeason(SeasonLine):
    """A season that you look after: `role` is what you may do in it."""

    role: Literal["owner", "cohost", "observer"]


class HostedSeasons(Struct):
    """The seasons that you host or observe, drafts too, the newest first: the latest 100."""

    seasons: list[HostedSeason]


class NewSeason(Struct, forbid_unknown_fields=True):
    """A season to be made: a draft, which only its hosts see. `settings`: those that are not as usual."""

    title: Title
    description: Description = ""
    settings: dict[str, Any] = {}
    usual_hour: UsualHour | None = None


class SeasonMade(Struct):
    """It was made; `season` is its id."""

    accepted: Literal[True]
    season: str


# -- the cast ---------------------------------------------------------------------------------------


class OpeningMember(Struct, forbid_unknown_fields=True):
    """A member of a draft: the person of this username, a bot, or, with neither, an open place with an invitation. What
    they have at the beginning."""

    handle: Handle
    username: str | None = None
    is_bot: bool = False
    name: Annotated[str, Meta(max_length=50)] = ""
    team: Annotated[str, Meta(max_length=30)] = ""
    garnets: Amount = 0
    priority: Amount = 0
    blood_garnets: Blood = Decimal(0)


class WholeCast(Struct, forbid_unknown_fields=True):
    """The whole cast of a draft: who is not listed is taken off it, and new members come last."""

    cast: Annotated[list[OpeningMember], Meta(max_length=MOST_MEMBERS)]


class OpeningCast(Struct):
    """The cast, and what each member began with."""

    cast: list[OpeningMember]


# -- the desk ---------------------------------------------------------------------------------------


class ChangeDraft(Struct, forbid_unknown_fields=True, tag_field="do", tag="change"):
    """Change a season that has not begun; what is not named stays as it is."""

    title: Title | UnsetType = UNSET
    description: Description | UnsetType = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    usual_hour: UsualHour | UnsetType | None = UNSET


class Begin(Struct, forbid_unknown_fields=True, tag_field="do", tag="begin"):
    """The season begins now; its settings and its cast are fixed."""


class DeleteDraft(Struct, forbid_unknown_fields=True, tag_field="do", tag="delete"):
    """Erase a season that has not begun. Only its owner does that."""


class CountBlood(Struct, forbid_unknown_fields=True, tag_field="do", tag="count_blood"):
    """Blood garnets grow from the end of the pregame of this match (its number in the season) on; null: not at all."""

    match: Annotated[int, Meta(ge=1, le=10_000)] | None


class Replace(Struct, forbid_unknown_fields=True, tag_field="do", tag="replace"):
    """Somebody else is behind a member from now on: the person of this username, a bot, or, with neither, nobody."""

    player: str
    reason: Reason
    username: str | None = None
    is_bot: bool = False


class SetRoles(Struct, forbid_unknown_fields=True, tag_field="do", tag="set_roles"):
    """Who looks after the season and its matches, by username; the owner is one of the hosts. Only the owner does
    that."""

    owner: str
    hosts: Annotated[list[str], Meta(min_length=1, max_length=MOST_PEOPLE)]
    observers: Annotated[list[str], Meta(max_length=MOST_PEOPLE)] = []


class EndSeason(Struct, forbid_unknown_fields=True, tag_field="do", tag="end"):
    """End the season: matches that are announced or running are cancelled, and `reason` is told in them."""

    reason: Reason = ""


AtTheDesk = ChangeDraft | Begin | DeleteDraft | CountBlood | Replace | SetRoles | EndSeason


# -- the next match ---------------------------------------------------------------------------------


class Entrant(Struct, forbid_unknown_fields=True):
    """Who plays, and in which team, where the match type has teams."""

    handle: str
    team: str | None = None


class NextMatch(Struct, forbid_unknown_fields=True):
    """The next match. `players`: handles, by default all who are in, or the two of the Death Match. `config` comes on
    top of the `preset`. Without `starts_at` and `start_now` it is a draft; with one of them it is published, and
    `open_places` says what becomes of open places at the start."""

    game: str
    title: Annotated[str, Meta(max_length=120)] = ""
    preset: str = ""
    config: dict[str, Any] = {}
    players: Annotated[list[str | Entrant], Meta(max_length=MOST_MEMBERS)] | None = None
    starts_at: Instant | None = None
    start_now: bool = False
    open_places: Literal["", "wait", "bots", "without"] = ""


class MatchMade(Struct):
    """It was made; `match` is its id, and `number` counts the season's matches."""

    accepted: Literal[True]
    match: str
    number: int


# -- what is refused --------------------------------------------------------------------------------

OF_HOSTS: Codes = {
    403: {"not_a_host": "Only hosts of the season do this, and nobody hosts a season they are a member of."}
}
OF_COMMANDS: Codes = {
    403: {
        "not_a_host": "Only hosts do this, and nobody hosts a season they are a member of.",
        "not_the_owner": "Only the owner of the season does this.",
        "only_observes": "You observe this season, so you cannot give commands.",
    },
    404: {"unknown_person": "There is nobody of that username.", "unknown_game": "There is no such match type."},
    422: {
        "no_host": "There has to be at least one host.",
        "plays_here": "Somebody of the cast cannot host or observe.",
        "text_not_visible": "It has several lines, or characters that nobody sees.",
        "busy": "A match of the season was added at this moment: try again.",
    },
}
