"""Who asks, where only those may who look after a season; and how what they send is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from matches.api.actions import count, rejected
from matches.api.bodies import read_body
from matches.api.players import one_key
from matches.api.replies import ApiError, Reply, not_signed_in
from matches.api.requests import for_asker, require_csrf, who
from matches.api.shapes import UsualHour
from matches.api.views import body_of
from matches.engine.errors import MALFORMED, ConfigError
from matches.models import usual_hour
from matches.services.errors import CommandRefused
from seasons.models import Season
from seasons.queries.access import SeasonHidden, Viewer, access_season
from seasons.services.advancing import advance_if_due
from seasons.services.roles import open_console


def season_seen_by(user: Any, public_id: str) -> Viewer:
    """The season as this person sees it. Raises `ApiError` where they may not."""
    try:
        return access_season(public_id, user)
    except SeasonHidden:
        raise ApiError(404, "unknown_season", "There is no such season, or you may not see it.") from None


def hosted_season(request: HttpRequest, public_id: str, *, to_act: bool = False) -> tuple[Season, Any]:
    """The season, brought up to now, for one who hosts or observes it, and who asks; that they have looked is noted, as
    for its console. Raises `ApiError` for visitors, `NotAHost` for all others."""
    user = who(request, to_act=to_act)
    season = season_seen_by(user, public_id).season
    if not user.is_authenticated:
        raise not_signed_in()
    open_console(season, user)
    advance_if_due(season)
    return season, user


def sent_to_season(request: HttpRequest, public_id: str, kind: Any) -> tuple[Season, Any, Any, str]:
    """The season, its host, what they have sent (of this type), and the Idempotency-Key. Raises as `hosted_season`."""
    body = body_of(request)
    require_csrf(request)
    season, user = hosted_season(request, public_id, to_act=True)
    count(user.pk)
    return season, user, read_body(body, kind), one_key(request)


def done(do: Callable[[], dict[str, Any] | None]) -> Reply:
    """What to answer after a command: `accepted`, with what it adds to that, or why it was refused."""
    try:
        answer = {"accepted": True, **(do() or {})}
    except CommandRefused as refusal:
        return rejected(refusal.code, refusal.message, refusal.field)
    except ConfigError as error:
        return rejected(MALFORMED, f"The setting {error.key} {error.message}.", error.key)
    return for_asker(answer)


def hour_of(wanted: UsualHour | None) -> dict[str, Any]:
    """A usual hour as a season stores it. Raises `ApiError`."""
    try:
        found = usual_hour.UsualHour.read(wanted.hour, wanted.zone) if wanted else None
    except ValueError as error:
        raise ApiError(422, MALFORMED, str(error)) from None
    return {"usual_hour": found.hour, "zone": found.zone.key} if found else {"usual_hour": None}
