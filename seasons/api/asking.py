"""Who asks for a season, and what is answered to what they send."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matches.api.actions import rejected
from matches.api.replies import ApiError, Reply
from matches.api.requests import for_asker
from matches.engine.errors import MALFORMED, ConfigError
from matches.services.errors import CommandRefused
from seasons.queries.access import SeasonHidden, Viewer, access_season


def season_seen_by(user: Any, public_id: str) -> Viewer:
    """The season as this person sees it. Raises `ApiError` where they may not."""
    try:
        return access_season(public_id, user)
    except SeasonHidden:
        raise ApiError(404, "unknown_season", "There is no such season, or you may not see it.") from None


def done(do: Callable[[], dict[str, Any] | None]) -> Reply:
    """What to answer after a command: `accepted`, with what it adds to that, or why it was refused."""
    try:
        answer = {"accepted": True, **(do() or {})}
    except CommandRefused as refusal:
        return rejected(refusal.code, refusal.message, refusal.field)
    except ConfigError as error:
        return rejected(MALFORMED, f"The setting {error.key} {error.message}.", error.key)
    return for_asker(answer)
