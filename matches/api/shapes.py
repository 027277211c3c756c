"""What the API answers, as types. The description of the API is made from them; the tests hold the answers to them.

Fields are always there unless they say otherwise. Where an answer is made from a struct of `queries` or of the rules,
that struct is its type.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from matches.engine.views import Ask, MatchTime
from matches.queries.announcements import NoteVersion, OwnQuestion
from matches.queries.host_acts import HostAct

Next = Annotated[str | None, Meta(description="The address of the next page; null at the end.")]
Instant = Annotated[datetime, Meta(tz=True)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


# -- stand for the types of all games (`openapi` puts them in) --------------------------------------


class AnyPublic(Struct):
    """What everybody may know: the view of the match's type (`match.game`)."""


class AnyPrivate(Struct):
    """What one player may know beyond that, by the match's type."""


class AnyAction(Struct):
    """An action of the match's type. `games/<slug>/schema/` has those of one type alone."""


class AnyQuestion(Struct):
    """A what-if of the match's type."""


# -- refusals ---------------------------------------------------------------------------------------


class Refusal(Struct):
    """Why a request was not carried out. Nothing has changed by it. `code` never changes its name, `message` is for
    people, `field` names the field of the body where there is one to correct."""

    accepted: Literal[False]
    code: str
    message: str
    field: str | UnsetType = UNSET


class Accepted(Struct):
    """It was done."""

    accepted: Literal[True]


# -- matches ----------------------------------------------------------------------------------------


class Clock(Struct):
    """Turns match times into instants: at `anchor_at` the match time is `anchor_time`, and it runs `speed` times as
    fast as UTC from there. An `anchor_at` of null: it stands."""

    anchor_at: Instant | None
    anchor_time: MatchTime
    speed: int


class Pause(Struct):
    """Since when a match is paused, and when it goes on by itself."""

    since: Instant
    until: Instant | None


class UsualHour(Struct):
    """At which hour of which zone deadlines fall."""

    hour: str
    zone: str


class Fixed(Struct):
    """What a host has set instead of having it drawn."""

    what: str
    by: str | None


class Fingerprint(Struct):
    """The hash of the last row of the log at the last close. It stands for everything up to it."""

    hash: Hash
    at: Instant


class MatchInfo(Struct):
    """A match as everybody may know it, besides its board."""

    id: str
    title: str
    game: str
    game_title: str
    status: Literal["draft", "scheduled", "open", "paused", "finished", "cancelled"]
    starts_at: Instant | None
    start_problem: str | None
    opened_at: Instant | None
    finished_at: Instant | None
    next_deadline_at: Instant | None
    clock: Clock
    paused: Pause | None
    usual_hour: UsualHour | None
    seed_hash: Hash | None
    seed: Annotated[str | None, Meta(description="Null until the match is finished or cancelled.")]
    fixed: list[Fixed]
    fingerprint: Fingerprint | None
    url: Annotated[str, Meta(description="The match's page.")]


class Versions(Struct):
    """They go up with every change of the public view, and of your own."""

    public: int
    private: int | None


class MatchView(Struct):
    """One match as you may see it. `public` is null before it begins, `private` for everybody but its players."""

    match: MatchInfo
    public: AnyPublic | None
    private: AnyPrivate | None
    versions: Versions
    now: Instant


class MatchList(Struct):
    """Matches, the newest first."""

    matches: list[MatchInfo]
    count: int
    next: Next


class WhoPlays(Struct):
    """A player, beside what the rules know of them. `username` is null where nobody with an account plays. `plays`: a
    person, an account that is marked as a bot's, a bot of the site, or nobody yet."""

    handle: str
    name: str
    username: str | None
    plays: Literal["person", "bot_account", "bot", "nobody"]


class Players(Struct):
    """Who plays, in list order. `takes_bots`: whether accounts of bots may take a place themselves."""

    players: list[WhoPlays]
    takes_bots: bool


class FeedLine(Struct):
    """Something that was told. `mine`: to you alone. `player`: who did it; `involved`: all players whom it names."""

    token: str
    kind: str
    text: str
    at: Instant
    mine: bool
    player: str | None
    lot: str | None
    involved: list[str]


class Feed(Struct):
    """What was told, the latest first."""

    feed: list[FeedLine]


class BidLine(Struct):
    """A bid that everybody may see, and what became of it."""

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
    """Bids, the newest first."""

    bids: list[BidLine]
    count: int
    next: Next


class HostActs(Struct):
    """What hosts did, the newest first."""

    acts: list[HostAct]
    count: int
    next: Next


class Notes(Struct):
    """Who hosts a match, and what they have said, the oldest first."""

    hosts: list[str]
    notes: list[NoteVersion]


class OwnQuestions(Struct):
    """Your questions to the hosts, the latest first."""

    questions: list[OwnQuestion]


class Text(Struct, forbid_unknown_fields=True):
    """Words."""

    text: str


class Asked(Struct):
    """A question as it was asked."""

    token: str
    text: str
    at: Instant


class QuestionAsked(Struct):
    """The question has gone to the hosts."""

    accepted: Literal[True]
    question: Asked


class LogRow(Struct):
    """`content` is the SHA-256 of `facts` as JSON with sorted keys, no spaces; `hash` that of `previous`, a line feed
    and `content`; null facts stay private for ever."""

    hash: Hash
    previous: str
    content: Hash
    facts: dict[str, Any] | None


class Log(Struct):
    """The log of a match that is over; `head` is the hash of its last row."""

    rows: list[LogRow]
    head: str
    next: Next


# -- one's own --------------------------------------------------------------------------------------


class Token(Struct):
    """A token, without its secret. `match`: the id of the only match that it is good for, null for all."""

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
    """A match in which you play, as whom, and what you are asked there now."""

    match: MatchInfo
    handle: str
    asked: list[Ask]
    versions: Versions


class MyMatches(Struct):
    """Your matches, the last joined first."""

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
    """What would come of it, by what you may know."""

    accepted: Literal[True]
    answer: dict[str, Any]
