"""Who may do what in a season: owner, co-hosts, observers, and members, who are none of these."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from matches.models import Insider, clock
from matches.services.commands import NotAHost, NotTheOwner
from matches.services.roles import Roles
from matches.services.storage.retry import retrying
from seasons.models import Season, SeasonRole


def role_of(season: Season, user: Any) -> str:
    """A person's role in a season, empty if they have none. A member has none, whatever else they are."""
    if not (user.is_authenticated and user.is_active) or season.cast.filter(user_id=user.pk).exists():
        return ""
    found = season.roles.filter(user_id=user.pk).values_list("role", flat=True).first()
    if user.is_superuser:
        return SeasonRole.Role.OWNER
    return "" if found in (None, SeasonRole.Role.FORMER) else str(found)


def acts(season: Season, user: Any) -> bool:
    """Whether a person may give commands in this season."""
    return role_of(season, user) in SeasonRole.ACTING


def sees(season: Season, user: Any) -> bool:
    """Whether a person sees what hosts see."""
    return role_of(season, user) in SeasonRole.SEEING


def need_acting(season: Season, user: Any) -> None:
    """Raise `NotAHost` unless this person may give commands in the season."""
    if not acts(season, user):
        raise NotAHost("Only this season's hosts can do that, and nobody hosts a season they are a member of.")


def need_owning(season: Season, user: Any) -> None:
    """Raise as `need_acting`, and `NotTheOwner` for a host who does not own the season."""
    need_acting(season, user)
    if role_of(season, user) != SeasonRole.Role.OWNER:
        raise NotTheOwner("Only the owner of the season can do that: name hosts and observers, and delete a draft.")


@retrying
def open_console(season: Season, user: Any) -> str:
    """The role of somebody who opens the console of a season. It is noted that they have seen it: from now on they can
    never be a member. Raises `NotAHost`."""
    role = role_of(season, user)
    if not role:
        raise NotAHost("Only this season's hosts can see that.")
    if not season.roles.filter(user_id=user.pk).exists():  # a superuser, whom nobody has named
        with transaction.atomic():
            locked = Season.objects.select_for_update().get(pk=season.pk)
            if not role_of(locked, user):
                raise NotAHost("Only this season's hosts can see that.")
            values = {"role": SeasonRole.Role.FORMER, "since": clock.now()}
            SeasonRole.objects.get_or_create(season=locked, user=user, defaults=values)
    return role


def roles_of(season: Season) -> Roles:
    """Who has which role in a season, by username."""
    held = list(season.roles.select_related("user").order_by("user__username"))
    by_role = {role: tuple(each.user for each in held if each.role == role) for role in SeasonRole.Role}
    owner = next(iter(by_role[SeasonRole.Role.OWNER]), None)
    return Roles(owner, by_role[SeasonRole.Role.COHOST], by_role[SeasonRole.Role.OBSERVER])


def why_no_member(season: Season, user: Any) -> str:
    """Why a person may not be a member, in a sentence that names them; empty if they may."""
    if season.roles.filter(user_id=user.pk).exists():
        return (
            f"{user} hosts or has hosted this season, or has seen what only its hosts see, and can never be a member."
        )
    if Insider.objects.filter(match__in_season__season=season, user_id=user.pk, played=None).exists():
        return f"{user} has hosted a match of this season or seen its secrets, and can never be a member."
    return ""
