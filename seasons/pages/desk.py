"""What a season asks of its hosts, for its own console and for the overview of all that a host looks after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import structlog
from django.db import DatabaseError
from django.db.models import Count, Q
from django.urls import reverse

from matches.engine.sentences import joined
from matches.models import Match
from matches.pages.desk import Entry, Need
from seasons.engine.season import next_deadline
from seasons.engine.settings import BY_HOST
from seasons.engine.state import DEATH_MATCH, OPPONENT, RUNNING, SeasonState
from seasons.models import Season, SeasonRole
from seasons.queries.standing import state_of

logger = structlog.get_logger(__name__)

_MOST = 60
_BADGES = {Season.Status.RUNNING: "jade"}


class Asked(NamedTuple):
    """Something that waits for a host; `command` does it (empty: the next match)."""

    text: str
    command: str


NEXT = Asked("Make the next match.", "")


def asked_of_hosts(season: Season, state: SeasonState | None) -> list[Asked]:
    """What the season waits for now."""
    if state is None:
        return [Asked("Begin the season, once its cast is complete.", "begin")]
    found = []
    titles = {str(number): title for number, title in season.matches.values_list("number", "match__title")}
    for match in state.matches:
        if match.result is not None:
            found.append(Asked(f"Confirm the settlement of “{titles.get(match.key, match.key)}”.", "settle"))
    after = state.after
    if state.phase == OPPONENT and after and state.settings.opponent == BY_HOST:
        found.append(Asked(f"Name the opponent of {joined(after.candidates)} in the Death Match.", "opponent"))
    if state.phase == DEATH_MATCH and after and not any(each.is_death_match for each in state.matches):
        found.append(Asked(f"Book the Death Match of {joined(after.between)}: who has lost?", "death-match"))
    if state.phase == RUNNING and not found and not _has_coming(season):
        found.append(NEXT)
    return found


def _has_coming(season: Season) -> bool:
    """Whether a match of it is being prepared or played."""
    return season.matches.exclude(match__status__in=Match.OVER).exists()


def entries_of(user: Any) -> Sequence[Entry]:
    """The seasons that a person looks after and that have not ended."""
    held = SeasonRole.objects.filter(user=user, role__in=SeasonRole.SEEING).exclude(season__status=Season.Status.ENDED)
    held = held.exclude(season__cast__user=user).select_related("season").order_by("-season__created_at")[:_MOST]
    counted = Season.objects.filter(pk__in=[role.season_id for role in held]).annotate(
        members=Count("cast"), still_in=Count("cast", filter=Q(cast__status="in"))
    )
    counts = {season.pk: season for season in counted}
    return [_entry(role, counts[role.season_id]) for role in held]


def _entry(role: SeasonRole, counted: Any) -> Entry:
    season: Season = role.season
    page = reverse("admin:seasons_season_change", args=[season.pk])
    try:
        state = state_of(season)
        needs = tuple(
            Need(each.text, page, "unread" if state is None or each == NEXT else "ask")
            for each in asked_of_hosts(season, state)
        )
    except DatabaseError:
        raise
    except Exception:  # one season must not hide the others
        logger.exception("season_illegible", season=season.pk)
        state, needs = None, (Need("the rules cannot show how it stands", page, "fault"),)
    due = next_deadline(state) if state and state.phase == OPPONENT else None
    is_draft = season.status == Season.Status.DRAFT
    return Entry(
        title=season.title,
        href=page,
        what="Season",
        status=season.get_status_display(),
        badge=_BADGES.get(Season.Status(season.status), "outline"),
        role=SeasonRole.Role(role.role).label,
        where=f"{counted.members} in the cast" if is_draft else f"{counted.still_in} of {counted.members} are in",
        until=None if due is None else season.instant(due),
        verb="an opponent is drawn",
        needs=needs,
        site=season.get_absolute_url() if season.is_public else "",
    )
