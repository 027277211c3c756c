"""Ending a season, also while matches of it are announced or running: these are cancelled first."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from matches.models import Match
from matches.services import hosting
from matches.services.errors import CommandRefused
from matches.services.storage.retry import retrying
from seasons.models import Season
from seasons.services import running

_GOING = (Match.Status.SCHEDULED, Match.Status.OPEN, Match.Status.PAUSED)


def going(season: Season) -> list[Match]:
    """The matches that would be cancelled: those that are announced or running. Drafts nobody knows of stay drafts."""
    return list(Match.objects.filter(in_season__season=season, status__in=_GOING).order_by("pk"))


@retrying
def end(season: Season, host: Any, reason: str = "", *, key: str = "") -> None:
    """End the season: all who are in share the first place. Matches that go on are cancelled with this reason, so that
    their players have back what they brought. All of it is one transaction: either everything is done or nothing.

    Raises `CommandRefused`, and `NotAHost` for who does not host the season or one of these matches."""
    with transaction.atomic():
        # Matches are locked before their season, as everywhere, and in the order of their ids.
        for match in going(season):
            if not reason.strip():
                raise CommandRefused("Say why its matches are cancelled; everybody will read it.", field="reason")
            hosting.cancel(match, host, reason)
        running.command(season, host, {"end": True}, key=key)
