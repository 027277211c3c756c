"""Roles of hosts and observers, for matches and seasons; and the people who may never play in a match (insiders)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.contrib.auth.management import create_permissions
from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import Insider, Match, MatchRole, Player
from matches.models.player import Role
from matches.services import belonging
from matches.services.errors import CommandRefused

MOST_PEOPLE = 20
"""The most people in each role."""
NO_HOST = "Name at least one host."


class Roles(NamedTuple):
    """Who has which role. The owner hosts too, but is not among `cohosts`; None if there is no owner."""

    owner: Any
    cohosts: tuple[Any, ...] = ()
    observers: tuple[Any, ...] = ()

    @property
    def acting(self) -> tuple[Any, ...]:
        """The hosts, who give commands: the owner first, then the co-hosts."""
        return (() if self.owner is None else (self.owner,)) + self.cohosts

    @property
    def everybody(self) -> tuple[Any, ...]:
        """Everybody with a role, all of whom see what hosts see."""
        return self.acting + self.observers

    def of(self, user: Any) -> Role | None:
        """A person's role; None if they have none."""
        if self.owner is not None and self.owner.pk == user.pk:
            return Role.OWNER
        if any(each.pk == user.pk for each in self.cohosts):
            return Role.COHOST
        return Role.OBSERVER if any(each.pk == user.pk for each in self.observers) else None

    def in_names(self) -> dict[str, Any]:
        """The usernames, for a log: `owner` (None if there is none), and in order `hosts` and `observers`."""
        return {
            "owner": self.owner.username if self.owner is not None else None,
            "hosts": sorted(each.username for each in self.acting),
            "observers": sorted(each.username for each in self.observers),
        }

    def changed_to(self, after: Roles) -> dict[str, Any]:
        """A change of roles for the log: [before, after] of `in_names` for each key that differs, and always for
        `hosts`; empty if nothing differs."""
        was, now = self.in_names(), after.in_names()
        if was == now:
            return {}
        return {name: [was[name], now[name]] for name in now if name == "hosts" or was[name] != now[name]}


def roles_from(acting: Iterable[Any], observers: Iterable[Any], *, owner: Any) -> Roles:
    """Roles from the hosts (`acting`) and observers. If `owner` is not among the hosts, the first host becomes the
    owner. Nobody has two roles: a host is never an observer."""
    hosts = {each.pk: each for each in acting}
    first = hosts.get(owner.pk) if owner is not None else None
    first = first or next(iter(hosts.values()), None)
    cohosts = tuple(each for each in hosts.values() if first is not None and each.pk != first.pk)
    watching = {each.pk: each for each in observers if each.pk not in hosts}
    return Roles(first, cohosts, tuple(watching.values()))


def without(roles: Roles, user: Any) -> Roles:
    """The same roles without one person, who must not be the owner."""
    cohosts = tuple(each for each in roles.cohosts if each.pk != user.pk)
    return Roles(roles.owner, cohosts, tuple(each for each in roles.observers if each.pk != user.pk))


def check_roles(wanted: Roles, playing: Collection[int]) -> None:
    """Raise `CommandRefused` with a sentence for impossible roles: no host, too many people, or one of the players,
    whose user ids are `playing`."""
    if wanted.owner is None:
        raise CommandRefused(NO_HOST, code="no_host", field="hosts")
    for field, people in (("hosts", wanted.acting), ("observers", wanted.observers)):
        if len(people) > MOST_PEOPLE:
            raise CommandRefused(f"At most {MOST_PEOPLE} people can have this role.", field=field)
        for person in people:
            if person.pk in playing:
                what = "observe the match" if field == "observers" else "host the match"
                raise CommandRefused(f"{person} plays here and cannot {what}.", code="plays_here", field=field)


# -- of a match or season ------------------------------------------------------------------------------------


def roles_of(subject: Any) -> Roles:
    """Who has which role in a match or season, in the order of usernames."""
    held = list(subject.roles.select_related("user").order_by("user__username"))
    by_role = {role: tuple(each.user for each in held if each.role == role) for role in Role}
    return Roles(next(iter(by_role[Role.OWNER]), None), by_role[Role.COHOST], by_role[Role.OBSERVER])


def store_roles(match: Match, wanted: Roles) -> None:
    """Store the roles of a match that is locked or has just been made."""
    match.roles.all().delete()
    found = [MatchRole(match=match, user=each, role=str(wanted.of(each))) for each in wanted.everybody]
    MatchRole.objects.bulk_create(found)


def named_role(subject: Any, user: Any) -> Role | None:
    """The role that a person was given in a match or season, with nothing special for superusers; None if they have
    none now."""
    held = subject.roles.filter(user_id=user.pk, role__in=Role.values).values_list("role", flat=True).first()
    return Role(held) if held else None


def hosted_by(user: Any) -> QuerySet[Match]:
    """The matches that a person hosts."""
    return Match.objects.filter(roles__user=user, roles__role__in=MatchRole.ACTING)


def with_a_role(user: Any, match: str = "pk") -> Q:
    """A filter for matches in which a person has any role. `match` is the lookup of the match's id."""
    return Q(Exists(MatchRole.objects.filter(match_id=OuterRef(match), user_id=user.pk)))


# -- insiders ------------------------------------------------------------------------------------------------
# People who may know a match's secrets: its present and former hosts and observers, everybody who has opened its
# console, and those who have played in it and left their place to somebody else.
#
# They can never play in it. The record stays when somebody stops hosting, because they still know the secrets.


def is_insider(match: Match, user: Any) -> bool:
    """Whether a person hosts or has hosted or observed this match, or opened its console; not former players."""
    return user.pk is not None and match.insiders.filter(user_id=user.pk, played=None).exists()


def why_not_play(match: Match, user: Any, handle: str = "") -> str:
    """Why a person may not have a place in this match, or the one with this handle, in a sentence that names them;
    empty if they may. Whether their account is closed is read anew, as it may have been deleted in another tab."""
    if user.pk is not None and not get_user_model().objects.filter(pk=user.pk, is_active=True).exists():
        return f"{user}'s account is closed."
    return why_none_plays(match, [user], handle)[0]


def why_none_plays(match: Match, people: Sequence[Any], handle: str = "") -> list[str]:
    """What `why_not_play` returns for each of these people, with as many queries for many as for one."""
    known = [person.pk for person in people if person.pk is not None]
    roles = dict(match.roles.filter(user__in=known).values_list("user_id", "role"))
    insiders = dict(match.insiders.filter(user__in=known).values_list("user_id", "played_id"))
    group = belonging.group_of(match)

    def why_not(person: Any) -> str:
        role = roles.get(person.pk)
        if role in MatchRole.ACTING:
            return f"{person} hosts this match, and a host never plays in it."
        if role is not None:
            return f"{person} observes this match, and an observer never plays in it."
        if person.pk not in insiders:
            return group.why_not_play(person, handle) if group else ""
        if insiders[person.pk] is None:
            return f"{person} has hosted this match or seen its settings, and can never play in it."
        return f"{person} has played in this match and knows a player's secrets, so they can never play in it again."

    return [why_not(person) for person in people]


def note_insiders(match: Match, people: Iterable[Any], now: datetime) -> None:
    """Note for good that these people may know a match's secrets. The match must be locked."""
    found = [Insider(match=match, user_id=person.pk, since=now) for person in people]
    Insider.objects.bulk_create(found, ignore_conflicts=True)
    match.insiders.filter(user__in=[each.user_id for each in found]).exclude(played=None).update(played=None)


def note_leaver(player: Player, user: Any, now: datetime) -> None:
    """Note for good that somebody has played in this place of a running match. The match must be locked."""
    Insider.objects.get_or_create(match_id=player.match_id, user=user, defaults={"since": now, "played": player})


# -- hosts group ---------------------------------------------------------------------------------------------
# The group of users who may host matches in the admin (they must be staff too). Updated after every migration.

HOSTS = "Hosts"

_MAY = {
    "match": ("view", "add", "change"),
    "submission": ("view",),
    "ledgerentry": ("view",),
    "holding": ("view",),
    "announcement": ("view",),
    "bid": ("view",),
}


def make_hosts_group(app_config: AppConfig, using: str = "default", **kwargs: Any) -> None:
    """Create the group with the permissions that hosting needs; a receiver of `post_migrate`."""
    let_hosts(app_config, _MAY, using)


def let_hosts(app_config: AppConfig, may: Mapping[str, Sequence[str]], using: str = "default") -> None:
    """Add permissions for models of an app (`may`: model -> verbs) to the group. Others that an administrator has added
    stay."""
    from django.contrib.auth.models import Group, Permission

    # Django makes permissions in a receiver of the same signal, which may come after this one.
    create_permissions(app_config, verbosity=0, using=using)
    wanted = [f"{verb}_{model}" for model, verbs in may.items() for verb in verbs]
    group, _ = Group.objects.using(using).get_or_create(name=HOSTS)
    permissions = Permission.objects.using(using).filter(content_type__app_label=app_config.label, codename__in=wanted)
    group.permissions.add(*permissions)
