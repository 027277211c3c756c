"""Who may do what in a season: owner, co-hosts and observers; members have no such role."""

from typing import Any

from django.db import transaction

from matches.models import Insider, Role, clock
from matches.services.commands import NotAHost, need_acting, need_owning
from matches.services.errors import retrying
from matches.services.roles import Roles, roles_held
from seasons.models import Season, SeasonRole


def role_of(season: Season, user: Any) -> Role | None:
    """Return a person's role in a season; None if they have none. Members never have one."""
    if not (user.is_authenticated and user.is_active) or season.cast.filter(user_id=user.pk).exists():
        return None
    if user.is_superuser:
        return Role.OWNER
    held = season.roles.filter(user_id=user.pk, role__in=SeasonRole.SEEING).values_list("role", flat=True).first()
    return Role(held) if held else None


def need_role(season: Season, user: Any) -> Role:
    """Return the role of a host or observer. Raises `NotAHost` for everybody else."""
    if (role := role_of(season, user)) is None:
        raise NotAHost("Only this season's hosts can do that. A member can never become one.")
    return role


def need_host(season: Season, user: Any) -> None:
    """Raise `NotAHost` unless this person may give commands in the season, `OnlyObserves` for its observers."""
    need_acting(need_role(season, user))


def need_owner(season: Season, user: Any) -> None:
    """Raise as `need_host`, and `NotTheOwner` for a host who does not own the season."""
    role = need_role(season, user)
    need_acting(role)
    need_owning(role)


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


def roles_of(season: Season) -> Roles:
    """Return the present roles in a season."""
    return roles_held(season.roles)


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
