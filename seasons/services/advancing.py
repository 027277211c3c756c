"""Bringing seasons up to now: growth, opponents that nobody has named, matches that are over."""

from __future__ import annotations

import structlog
from django.db.models import QuerySet

from matches.models import Match, clock
from matches.services.errors import Refused
from matches.services.storage.retry import retrying
from seasons.models import Season, SeasonMatch
from seasons.services.writer import locked_season

logger = structlog.get_logger(__name__)


@retrying
def advance(season_id: int) -> None:
    """Bring one season up to now. All of it is one transaction, so nothing is done twice."""
    with locked_season(season_id):
        pass


def _due(seasons: QuerySet[Season]) -> set[int]:
    """Which of these seasons have something to do now."""
    running = seasons.filter(status=Season.Status.RUNNING)
    timed = running.filter(next_deadline_at__lte=clock.now())
    pregame_over = running.filter(awaits_pregame_of__match__pregame_ended_at__isnull=False)
    over = SeasonMatch.objects.filter(
        opened_at__isnull=False, over_at__isnull=True, match__status__in=Match.OVER, season__in=running
    )
    return {
        *timed.values_list("pk", flat=True),
        *pregame_over.values_list("pk", flat=True),
        *over.values_list("season_id", flat=True),
    }


def advance_if_due(season: Season) -> bool:
    """For pages: bring a season up to now where the sweep has not come by yet; whether that was done."""
    if season.pk not in _due(Season.objects.filter(pk=season.pk)):
        return False
    try:
        advance(season.pk)
    except Refused:
        return False
    season.refresh_from_db()
    return True


def sweep() -> int:
    """Bring every season up to now in which something is due; how many. A season at fault must not stop the others."""
    found = sorted(_due(Season.objects.all()))
    for season_id in found:
        try:
            advance(season_id)
        except Refused:
            logger.warning("season_busy", season=season_id)
        except Exception:
            logger.exception("season_failed", season=season_id)
    return len(found)
