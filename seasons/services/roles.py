"""Who may never be a member of a season, as they know its secrets: who hosts it or has opened its console."""

from typing import Any

from django.db import transaction

from matches.models import Insider, Role, clock
from matches.services.commands import need_role
from matches.services.errors import retrying
from seasons.models import Season, SeasonRole


@retrying
def open_console(season: Season, user: Any) -> Role:
    """Return the role of somebody who opens the console of a season, and record that they have seen it: from now on
    they can never be a member. Raises `NotAHost`."""
    role = need_role(season, user)
    if not season.roles.filter(user_id=user.pk).exists():  # a superuser without a role of their own
        with transaction.atomic():
            locked = Season.objects.select_for_update().get(pk=season.pk)
            need_role(locked, user)
            values = {"role": SeasonRole.Role.FORMER, "since": clock.now()}
            SeasonRole.objects.get_or_create(season=locked, user=user, defaults=values)
    return role


def why_no_member(season: Season, user: Any) -> str:
    """Say why a person may not be a member; empty if they may."""
    if season.roles.filter(user_id=user.pk).exists():
        return (
            f"{user} hosts or has hosted this season, or has seen what only its hosts see, and can never be a member."
        )
    if season.viewers.filter(user_id=user.pk).exclude(accepted_at=None).exists():
        return f"{user} has seen what a member of this season sees, as a trusted viewer, and can never be a member."
    if Insider.objects.filter(match__in_season__season=season, user_id=user.pk, played=None).exists():
        return f"{user} has hosted a match of this season or seen its secrets, and can never be a member."
    return ""
