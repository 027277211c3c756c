"""What everyone may know of a match besides its board: one whitelist, used by templates and by the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from matches.engine.match_time import seconds
from matches.models import Match
from matches.services.fixed_draws import FixedDraw, fixed_draws


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
    next_deadline_at: datetime | None
    anchor_at: datetime | None
    anchor_time: timedelta
    speed: int
    seed_hash: str
    seed: str
    open_to_join: bool
    places: int
    open_places: str
    is_demo: bool
    fixed: tuple[FixedDraw, ...]

    @property
    def is_coming(self) -> bool:
        """Whether it has not begun: a draft or a published match."""
        return self.status in (Match.Status.DRAFT, Match.Status.SCHEDULED)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.status in (Match.Status.FINISHED, Match.Status.CANCELLED)


def info_of(match: Match) -> MatchInfo:
    """What everyone may know of a match. It includes the seed only once nothing more will be drawn from it: when the
    match is finished or cancelled."""
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
        next_deadline_at=match.next_deadline_at if match.state else None,
        anchor_at=match.anchor_at,
        anchor_time=match.anchor_time,
        speed=match.speed,
        seed_hash=match.seed_hash if match.state else "",
        seed=match.seed if match.is_over and match.state else "",
        open_to_join=match.status == Match.Status.SCHEDULED and match.joining == Match.Joining.OPEN,
        places=match.places,
        open_places=match.open_places if match.status == Match.Status.SCHEDULED else "",
        is_demo=match.is_demo,
        fixed=fixed_draws(match),
    )


def info_json(match: Match) -> dict[str, Any]:
    """The same for programs, JSON-able.

    `clock` lets a client turn match times (seconds) into instants: at `anchor_at` the match time is
    `anchor_time`, and it runs `speed` times as fast as UTC from there; null means that the clock is stopped.
    `fixed`: what hosts have set instead of having it drawn.
    """
    info = info_of(match)
    return {
        "id": info.id,
        "title": info.title,
        "game": info.game,
        "game_title": info.game_title,
        "status": info.status,
        "starts_at": _iso(info.starts_at),
        "start_problem": info.start_problem or None,
        "opened_at": _iso(info.opened_at),
        "finished_at": _iso(info.finished_at),
        "next_deadline_at": _iso(info.next_deadline_at),
        "clock": {
            "anchor_at": _iso(info.anchor_at),
            "anchor_time": seconds(info.anchor_time),
            "speed": info.speed,
        },
        "seed_hash": info.seed_hash or None,
        "seed": info.seed or None,
        "fixed": [{"what": each.what, "by": each.by or None} for each in info.fixed],
        "url": info.url,
    }


def _iso(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()
