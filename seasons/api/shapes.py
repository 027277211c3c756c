"""What the API of seasons answers, as types, and what it refuses a request with."""

from typing import Any, Literal

from msgspec import Struct

from matches.api import codes
from matches.api.codes import Codes
from matches.api.shapes import Next
from matches.queries.match_info import Fingerprint, Hash, Instant, UsualHour
from seasons.engine.commands import LEAST_GIFT
from seasons.queries.access import SeasonHidden
from seasons.queries.export import Entry
from seasons.queries.standing import CastMember, News, SeasonMatch


class SeasonHead(Struct, kw_only=True):
    """What a season's line in a list and its own view begin with."""

    id: str
    title: str
    url: str
    status: Literal["draft", "running", "ended"]
    started_at: Instant | None
    ended_at: Instant | None
    seed_hash: str
    seed: Hash | None


class SeasonLine(SeasonHead, kw_only=True):
    """A season in a list."""

    members: int
    still_in: int
    winners: list[str]


class SeasonList(Struct):
    """Seasons, the newest first."""

    seasons: list[SeasonLine]
    next: Next


class SeasonView(SeasonHead, kw_only=True):
    """What everybody may know about a season. `fingerprint` is its log's at the last public news. `me` is your
    handle."""

    description: str
    usual_hour: UsualHour | None
    settings: dict[str, Any]
    hosts: list[str]
    phase: str
    candidates: tuple[str, ...]
    between: tuple[str, ...]
    opponents: tuple[str, ...]
    opponent_until: Instant | None
    cast: list[CastMember]
    matches: list[SeasonMatch]
    fingerprint: Fingerprint | None
    me: str | None
    now: Instant


class SeasonFeed(Struct):
    """News, the latest first."""

    feed: list[News]
    next: Next


class Ledger(Struct):
    """A member's account, the earliest entries first."""

    handle: str
    entries: list[Entry]
    next: Next


class Opponent(Struct, forbid_unknown_fields=True):
    """The handle of the opponent."""

    opponent: str


class Gift(Struct, forbid_unknown_fields=True):
    """Garnets for another member: their handle, and how many."""

    to: str
    amount: int


HIDDEN: Codes = {404: {"unknown_season": SeasonHidden.message}}
NO_SUCH_SEASON = "after: there is no such season."
UNKNOWN_PLACE: Codes = {400: {"unknown_place": NO_SUCH_SEASON}}
NOT_YOURS: Codes = {403: {"not_yours": "This is not your account. Until the end, only hosts can read all accounts."}}
NOT_ENDED: Codes = {409: {"not_ended": "The site publishes this when the season ends."}}

_REFUSED: Codes = {
    403: {"not_a_host": "Only hosts of the season can do this.", "only_observes": "You are observing this season."},
    422: {
        "malformed": "No such command, or wrong fields.",
        "wrong_phase": "The season is not in a phase that allows this.",
        "not_in_cast": "There is no such member.",
        "not_in": "That member is out or has withdrawn.",
        "not_eligible": "You cannot choose that member.",
        "not_your_decision": "Somebody else names the opponent.",
        "not_enough": "The account does not hold that much.",
        "not_positive": LEAST_GIFT,
        "already_playing": "That member plays in a match that is not settled.",
        "already_done": "This has already been done.",
        "command_refused": "You cannot do this now.",
    },
}
COMMANDING = codes.together(codes.CHANGING, codes.WITH_A_KEY, HIDDEN, _REFUSED)
