"""What the API answers and takes, as types. The OpenAPI document is made from them; tests check answers against them.

Fields are always present unless they say otherwise. What queries and rules make as a struct is its own type: it is not
repeated here.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from matches.engine.views import Ask, MatchTime
from matches.queries.announcements import NoteVersion, OwnQuestion
from matches.queries.feed import FeedLine
from matches.queries.host_acts import HostAct
from matches.queries.log import LogRow
from matches.queries.match_info import Hash, Instant, MatchInfo
from matches.services.absences import LONGEST_REASON

Next = Annotated[str | None, Meta(description="The address of the next page; null at the end.")]


# -- stand for the types of all games (`openapi` puts them in) --------------------------------------


class AnyPublic(Struct):
    """What is public in a match, as a view of its match type (`match.game`)."""


class AnyPrivate(Struct):
    """What one player may know in addition, as a view of the match type."""


class AnyAction(Struct):
    """An action of the match type. `games/<slug>/schema/` has those of one match type alone."""


class AnyQuestion(Struct):
    """A what-if of the match type."""


# -- refusals ---------------------------------------------------------------------------------------


class Refusal(Struct, omit_defaults=True):
    """Why a request was not carried out, in the form of RFC 9457. Nothing has changed. A `code` never changes its name
    (`type` is the same as a URI, `title` the same in words), `message` (and `detail`) is for people, `field` names the
    field of the body to correct, if there is one."""

    type: str
    title: str
    status: int
    detail: str
    accepted: Literal[False]
    code: str
    message: str
    field: str | UnsetType = UNSET


class Accepted(Struct):
    """The request was carried out."""

    accepted: Literal[True]


# -- matches ----------------------------------------------------------------------------------------


class Versions(Struct):
    """Numbers that go up with every change of the public view and of your own view."""

    public: int
    private: int | None


class MatchView(Struct):
    """One match as you may see it. `public` is null before the start, and `private` for everybody but its players."""

    match: MatchInfo
    public: AnyPublic | None
    private: AnyPrivate | None
    versions: Versions
    now: Instant


class MatchList(Struct):
    """Matches, newest first."""

    matches: list[MatchInfo]
    count: int
    next: Next


Plays = Literal["person", "bot_account", "bot", "nobody"]


class WhoPlays(Struct):
    """A player, apart from what the rules know about them. `username` is null if nobody with an account plays. `plays`:
    a person, an account that is marked as a bot's, a bot of the site, or nobody yet."""

    handle: str
    name: str
    username: str | None
    plays: Plays


class Players(Struct):
    """Who plays, in list order. `takes_bots`: whether accounts of bots may take a place themselves."""

    players: list[WhoPlays]
    takes_bots: bool


class Feed(Struct):
    """News of the match, latest first."""

    feed: list[FeedLine]
    next: Next


class BidLine(Struct):
    """A public bid, and what became of it."""

    player: str
    lot: str
    asset: str
    amount: int
    status: str
    placed_at: Instant
    placed_time: MatchTime
    settled_at: Instant | None
    settled_time: MatchTime | None


class History(Struct):
    """Bids, newest first."""

    bids: list[BidLine]
    count: int
    next: Next


class HostActs(Struct):
    """What hosts did, newest first."""

    acts: list[HostAct]
    count: int
    next: Next


class Notes(Struct):
    """Who hosts a match, and what they have said, oldest first."""

    hosts: tuple[str, ...]
    notes: list[NoteVersion]


class OwnQuestions(Struct):
    """Your questions to the hosts, latest first."""

    questions: list[OwnQuestion]


class Text(Struct, forbid_unknown_fields=True):
    """A text."""

    text: str


class Asked(Struct):
    """A question as it was asked."""

    token: str
    text: str
    at: Instant


class QuestionAsked(Struct):
    """The question was sent to the hosts."""

    accepted: Literal[True]
    question: Asked


class Log(Struct):
    """The log of a match that is over; `head` is the hash of its last row."""

    rows: list[LogRow]
    head: str
    next: Next


# -- one's own --------------------------------------------------------------------------------------


class Token(Struct):
    """A token, without its secret. `match`: the id of the only match it works for, null for all."""

    name: str
    scope: Literal["read", "act"]
    match: str | None
    expires_at: Instant


class Me(Struct):
    """Who asks. `is_bot`: the account is marked as a bot's. `token` is null for a browser's session."""

    username: str
    name: str
    is_bot: bool
    token: Token | None


class MyMatch(Struct):
    """A match in which you play, which player you are, and what you have to do there now."""

    match: MatchInfo
    handle: str
    asked: tuple[Ask, ...]
    versions: Versions


class MyMatches(Struct):
    """Your matches, most recently joined first."""

    matches: list[MyMatch]
    next: Next


# -- acting -----------------------------------------------------------------------------------------


class Receipt(Struct):
    """What you can check in the log after the match. `number` counts your accepted actions."""

    number: int
    at: Instant
    match_time: MatchTime
    hash: Hash
    salt: str


class Done(Struct):
    """The action was carried out."""

    accepted: Literal[True]
    receipt: Receipt
    versions: Versions


class WouldBeDone(Struct):
    """A dry run: the action would be accepted now. Nothing was stored."""

    accepted: Literal[True]
    dry_run: Literal[True]


class Answered(Struct):
    """What would happen, judging by what you may know."""

    accepted: Literal[True]
    answer: dict[str, Any]


# -- a player's own place ----------------------------------------------------------------------------


class _Away(Struct, forbid_unknown_fields=True, kw_only=True):
    since: Instant
    until: Instant
    reason: Annotated[str, Meta(max_length=LONGEST_REASON)] = ""
    bot: bool = False


class SayAway(_Away, tag_field="do", tag="away"):
    """You are away between these times. This replaces what was noted before."""


class SayBack(Struct, forbid_unknown_fields=True, tag_field="do", tag="back"):
    """You are back: no absence of yours counts any more, and a bot that plays for you stops."""


class SayReady(Struct, forbid_unknown_fields=True, tag_field="do", tag="ready"):
    """You are ready. A fast match with few players begins once all its people are ready."""


OwnDoing = SayAway | SayBack | SayReady


# -- games ------------------------------------------------------------------------------------------


class PlayersOf(Struct):
    """How many players a match type is for."""

    least: int
    most: int
    usual: tuple[int, ...]


class GameLine(Struct):
    """A short description of a match type. `schema` is the address of everything about it."""

    slug: str
    title: str
    summary: str
    designers: tuple[str, ...]
    rules_version: int
    players: PlayersOf
    teams: tuple[str, ...]
    schema: str


class Games(Struct):
    """The match types."""

    games: list[GameLine]


class GameSchema(GameLine):
    """A match type: `config` lists the settings, `actions` and `questions` are JSON Schemas."""

    config: list[dict[str, Any]]
    presets: Mapping[str, Mapping[str, Any]]
    refusals: Annotated[dict[str, str], Meta(description="The rules' own codes, besides those of all match types.")]
    actions: dict[str, Any]
    questions: dict[str, Any] | None
