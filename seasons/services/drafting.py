"""Making a season and its cast, before it begins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Max

from matches.models import clock
from matches.services.errors import CommandRefused, KeyConflict
from matches.services.names import Names, free_handle, free_name, name_beside
from matches.services.storage.retry import retrying
from seasons.engine.settings import SeasonSettings
from seasons.models import Member, Season, SeasonRole
from seasons.services.noting import note_made, noting
from seasons.services.roles import need_acting, need_owning, why_no_member


@retrying
def create_season(
    title: str, by: Any, *, settings: dict[str, Any] | None = None, key: str = "", **fields: Any
) -> Season:
    """A draft, owned by whoever makes it. The same `key` of theirs a second time makes no second season, but returns
    the first. Raises `ConfigError` for settings that cannot be read, `KeyConflict` for a key that made another one."""
    SeasonSettings.read(settings or {})
    now = clock.now()
    with transaction.atomic():
        if key and (made := _made_already(by, key)):
            if made.title != title:
                raise KeyConflict(f"This form has already made “{made.title}”. Open a new form to make one more.")
            return made
        season = Season.objects.create(title=title, settings=settings or {}, created_at=now, key=key, **fields)
        SeasonRole.objects.create(season=season, user=by, role=SeasonRole.Role.OWNER, since=now)
        note_made(season, by)
    return season


def _made_already(by: Any, key: str) -> Season | None:
    """The season that this person made with this key. Two clicks come here one after the other."""
    get_user_model().objects.select_for_update().get(pk=by.pk)
    return Season.objects.filter(key=key, roles__user=by, roles__role=SeasonRole.Role.OWNER).first()


@contextmanager
def draft(season: Season, host: Any) -> Iterator[Season]:
    """The season locked, for a change that is possible only before it begins, and that is noted. Raises `NotAHost`,
    `CommandRefused`."""
    with transaction.atomic():
        row = Season.objects.select_for_update().get(pk=season.pk)
        need_acting(row, host)
        if row.status != Season.Status.DRAFT:
            raise CommandRefused("The season has begun: its cast and settings are fixed. Corrections are bookings.")
        with noting(row, host):
            yield row


@retrying
def change_draft(season: Season, host: Any, **fields: Any) -> None:
    """Set title, description, settings, usual_hour or zone. Raises `ConfigError` for settings that cannot be read."""
    with draft(season, host) as row:
        if "settings" in fields:
            SeasonSettings.read(fields["settings"])
        for name, value in fields.items():
            setattr(row, name, value)
        row.save(update_fields=list(fields))


@retrying
def add_member(season: Season, host: Any, handle: str = "", *, user: Any = None, **fields: Any) -> Member:
    """A new member: a person, a bot (`is_bot=True`) or an open place. `fields`: name, team, garnets, priority,
    blood_garnets."""
    with draft(season, host) as row:
        return _add(row, handle, user, fields)


def _add(season: Season, handle: str, user: Any, fields: dict[str, Any]) -> Member:
    if user is not None and (why_not := why_no_member(season, user)):
        raise CommandRefused(why_not, field="user")
    taken = names_of(season)
    if handle and free_handle(handle, taken) != handle:
        raise CommandRefused(
            f"“{handle}” is, or looks like, the name of somebody else here. Please choose another one.", field="handle"
        )
    last: int | None = season.cast.aggregate(last=Max("position"))["last"]
    wanted = handle or (user.username if user is not None else "member")
    member = Member(
        season=season,
        handle=free_handle(wanted, taken),
        user=user,
        position=0 if last is None else last + 1,
        **fields,
    )
    if user is not None and not member.name:
        member.name = name_beside(handle, user, taken) if handle else free_name(user, taken)
    try:
        with transaction.atomic():
            member.save(force_insert=True)
    except IntegrityError:
        raise CommandRefused("This person is in the cast already.", field="user") from None
    return member


def names_of(season: Season) -> list[Names]:
    """What members and hosts of a season are called."""
    members = season.cast.values_list("handle", "name")
    return [*map(Names._make, members), *host_names_of(season)]


def host_names_of(season: Season) -> list[Names]:
    """The names of those who host or observe a season, which no member's name may look like."""
    hosts = season.roles.exclude(role=SeasonRole.Role.FORMER).select_related("user")
    return [Names(role.user.username, role.user.get_full_name()) for role in hosts]


@retrying
def delete_draft(season: Season, host: Any) -> None:
    """Erase a season that has not begun, with its cast. Only its owner does that."""
    with draft(season, host) as row:
        need_owning(row, host)
        if row.log_count:
            raise CommandRefused("Something of this season is in its log, and a log is never erased.")
        row.cast.all().delete()
        row.roles.all().delete()
        row.delete()
