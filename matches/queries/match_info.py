"""What everyone may know of a match besides its board: one whitelist, used by templates and by the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from matches.engine.match_time import seconds
from matches.infra.moments import iso
from matches.models import Match
from matches.services.draws import FixedDraw, fixed_draws


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """A match as everyone may know it. Templates get no models, so what is not listed here cannot be shown by mistake.
    Instants are UTC, `anchor_time` is match time."""

    id: str
    url: str
    title: str
    description: str
    game: str
    game_title: str
    status: str
    status_label: str
    starts_at: datetime | None
    start_problem: str
    opened_at: datetime | None
    finished_at: datetime | None
    paused_at: datetime | None
    resumes_at: datetime | None
    next_deadline_at: datetime | None
    anchor_at: datetime | None
    anchor_time: timedelta
    speed: int
    usual_hour: str
    usual_zone: str
    seed_hash: str
    seed: str
    open_to_join: bool
    places: int
    open_places: str
    is_demo: bool
    fixed: tuple[FixedDraw, ...]
    closed_head: str
    closed_at: datetime | None

    @property
    def is_coming(self) -> bool:
        """Whether it has not begun: a draft or a published match."""
        return self.status in Match.BEFORE

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in Match.OVER


def info_of(match: Match, fixed: tuple[FixedDraw, ...] | None = None) -> MatchInfo:
    """What everyone may know of a match. It includes the seed only once nothing more will be drawn from it: when the
    match is finished or cancelled. `fixed`: what hosts have set, where that has been read already."""
    return MatchInfo(
        id=match.public_id,
        url=match.get_absolute_url(),
        title=match.title,
        description=match.description,
        game=match.game,
        game_title=match.rules.title,
        status=match.status,
        status_label=Match.Status(match.status).label,
        starts_at=None if match.start_problem else match.starts_at,
        start_problem=match.start_problem,
        opened_at=match.opened_at,
        finished_at=match.finished_at,
        paused_at=match.paused_at if match.status == Match.Status.PAUSED else None,
        resumes_at=match.resumes_at if match.status == Match.Status.PAUSED else None,
        next_deadline_at=match.next_deadline_at if match.state else None,
        anchor_at=match.anchor_at,
        anchor_time=match.anchor_time,
        speed=match.speed,
        usual_hour=match.usual_hour,
        usual_zone=match.usual_zone if match.usual_hour else "",
        seed_hash=match.seed_hash if match.state or match.status == Match.Status.SCHEDULED else "",
        seed=match.seed if match.is_over and match.state else "",
        open_to_join=match.status == Match.Status.SCHEDULED and match.joining in Match.OPEN_TO_ALL,
        places=match.places,
        open_places=match.open_places if match.status == Match.Status.SCHEDULED else "",
        is_demo=match.is_demo,
        fixed=fixed_draws(match) if fixed is None else fixed,
        closed_head=match.closed_head,
        closed_at=match.closed_at,
    )


def info_json(match: Match) -> dict[str, Any]:
    """The same for programs, JSON-able.

    `clock` lets a client turn match times (seconds) into instants: at `anchor_at` the match time is
    `anchor_time`, and it runs `speed` times as fast as UTC from there; null means that the clock is stopped.
    `paused` says since when, and when the match goes on by itself.
    `fingerprint`: the hash of the last row of the log at the last close, which stands for everything up to it.
    `fixed`: what hosts have set instead of having it drawn.
    """
    info = info_of(match)
    return {
        "id": info.id,
        "title": info.title,
        "game": info.game,
        "game_title": info.game_title,
        "status": info.status,
        "starts_at": iso(info.starts_at),
        "start_problem": info.start_problem or None,
        "opened_at": iso(info.opened_at),
        "finished_at": iso(info.finished_at),
        "next_deadline_at": iso(info.next_deadline_at),
        "clock": {
            "anchor_at": iso(info.anchor_at),
            "anchor_time": seconds(info.anchor_time),
            "speed": info.speed,
        },
        "paused": {"since": iso(info.paused_at), "until": iso(info.resumes_at)} if info.paused_at else None,
        "usual_hour": {"hour": info.usual_hour, "zone": info.usual_zone} if info.usual_hour else None,
        "seed_hash": info.seed_hash or None,
        "seed": info.seed or None,
        "fixed": [{"what": each.what, "by": each.by or None} for each in info.fixed],
        "fingerprint": {"hash": info.closed_head, "at": iso(info.closed_at)} if info.closed_head else None,
        "url": info.url,
    }
