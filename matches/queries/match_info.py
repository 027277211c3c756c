"""The public facts of a match: the one list of what everybody may know besides its board, on pages and in the API."""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from matches.engine.match_time import seconds
from matches.engine.views import MatchTime
from matches.infra.structs import filled
from matches.models import Match
from matches.queries.names import names_now
from matches.services.draws import FixedDraw, fixed_draws

Instant = Annotated[datetime, Meta(tz=True)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Clock(Struct, frozen=True):
    """Turns match times into instants: at `anchor_at` the match time is `anchor_time`, and it runs `speed` times as
    fast as UTC from there. If `anchor_at` is null, the clock stands still."""

    anchor_at: Instant | None
    anchor_time: MatchTime
    speed: int


class Pause(Struct, frozen=True):
    """A pause: since when, and until when the match resumes by itself."""

    since: Instant
    until: Instant | None


class UsualHour(Struct, frozen=True):
    """The hour and time zone at which deadlines should fall."""

    hour: str
    zone: str


class Fingerprint(Struct, frozen=True):
    """The hash of the log's row with which something closed last. It covers all rows up to that one."""

    hash: Hash
    at: Instant


class MatchInfo(Struct, frozen=True, kw_only=True):
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
    fixed: tuple[FixedDraw, ...]
    fingerprint: Fingerprint | None
    url: Annotated[str, Meta(description="The match's page.")]

    @property
    def is_coming(self) -> bool:
        """Whether the match has not begun: a draft or a published match."""
        return self.status in Match.BEFORE

    @property
    def is_over(self) -> bool:
        """Whether the match is finished or cancelled."""
        return self.status in Match.OVER

    @property
    def status_label(self) -> str:
        return Match.Status(self.status).label


class PageInfo(MatchInfo, frozen=True, kw_only=True):
    """The same for templates, which get no models, so that they cannot show anything else by mistake."""

    description: str
    open_to_join: bool
    places: int
    open_places: str
    is_demo: bool


def info_of(match: Match) -> MatchInfo:
    """What everyone may know of a match."""
    return filled(MatchInfo, match, **_facts(match, fixed_in(match)))


def page_info_of(match: Match, fixed: tuple[FixedDraw, ...] | None = None) -> PageInfo:
    """The same for templates. `fixed`: the result of `fixed_in`, if the caller has it."""
    return filled(
        PageInfo,
        match,
        **_facts(match, fixed_in(match) if fixed is None else fixed),
        open_to_join=match.status == Match.Status.SCHEDULED and match.joining in Match.OPEN_TO_ALL,
        open_places=match.open_places if match.status == Match.Status.SCHEDULED else "",
    )


def fixed_in(match: Match) -> tuple[FixedDraw, ...]:
    """What hosts have set in place of a draw, with neutral names for deleted accounts."""
    fixed = fixed_draws(match)
    now = names_now(match, (each.by for each in fixed if each.by))
    return tuple(replace(each, by=now.get(each.by or "", each.by)) for each in fixed)


def _facts(match: Match, fixed: tuple[FixedDraw, ...]) -> dict[str, Any]:
    """The facts that are not simply fields of the match. The seed is among them only once the match is finished or
    cancelled, when nothing more will be drawn from it."""
    paused_at = match.paused_at if match.status == Match.Status.PAUSED else None
    closed_at = match.closed_at
    is_promised = match.state or match.status == Match.Status.SCHEDULED
    return {
        "id": match.public_id,
        "game_title": match.rules.title,
        "starts_at": None if match.start_problem else match.starts_at,
        "start_problem": match.start_problem or None,
        "next_deadline_at": match.next_deadline_at if match.state else None,
        "clock": Clock(match.anchor_at, seconds(match.anchor_time), match.speed),
        "paused": Pause(paused_at, match.resumes_at) if paused_at else None,
        "usual_hour": UsualHour(match.usual_hour, match.usual_zone) if match.usual_hour else None,
        "seed_hash": (match.seed_hash or None) if is_promised else None,
        "seed": (match.seed or None) if match.is_over and match.state else None,
        "fixed": fixed,
        "fingerprint": Fingerprint(match.closed_head, closed_at) if match.closed_head and closed_at else None,
        "url": match.get_absolute_url(),
    }
