"""Drafts of seasons: making, changing, duplicating and deleting them, and recording what hosts do outside the log.

The log begins with the season, and a draft can be deleted. So its commands, and those about invitations, go to the
admin history, which nobody can edit in the console and which outlasts the draft: who, when, the values before, and the
values after. People are named there by account id, links and notes by a fingerprint.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from matches.engine.strict_json import canonical
from matches.models import clock
from matches.services.commands import need_host, need_owner
from matches.services.creation import numbered
from matches.services.errors import CommandRefused, KeyConflict, retrying
from matches.services.places import Names
from seasons.engine.state import SeasonSettings
from seasons.models import Application, Call, Season, SeasonRole
from seasons.services.writer import applied, season_duplicated

FIXED = "The season has begun, so cast and settings are fixed. Correct a balance instead."
OUTDATED = "outdated"
"""The code of a refusal because somebody has changed what the host looked at."""
_CHANGED = "Since you opened this page, others have changed something. What you typed is not saved yet."

_OF_THE_SEASON = ("title", "description", "settings", "usual_hour", "zone")
_OF_A_MEMBER = ("user_id", "is_bot", "position", "team", "garnets", "priority", "blood_garnets", "hides_picture")
_OF_A_LINK = ("made_at", "made_by", "sent_to_id", "expires_at", "revoked_at", "times_sent")

_OF_A_CALL = ("questions", "places", "note", "closes_at")
_OF_AN_APPLICATION = ("user_id", "status")


@contextmanager
def noting(season: Season, host: Any) -> Iterator[None]:
    """Record in the admin history what this host changes of a locked season within the block, or its deletion."""
    number, title, before = season.pk, str(season), _facts(season)
    yield
    if season.pk is None:
        season.pk = number  # Django clears it when a row is deleted
        _note(season, host, DELETION, "", title)
        season.pk = None
    elif told := _differences(before, _facts(season)):
        _note(season, host, CHANGE, told)


def noted_of(season: Season, first: int, count: int) -> list[LogEntry]:
    """Return a season's admin history, the latest first."""
    of_seasons = ContentType.objects.get_for_model(Season)
    found = LogEntry.objects.filter(content_type=of_seasons, object_id=str(season.pk)).select_related("user")
    return list(found.order_by("-pk")[first : first + count])


def rename(season: Season, username: str, name: str) -> None:
    """Replace the username of a host who has left in what the history says about invitations."""
    made_by, shown = (canonical({"made_by": each})[1:-1] for each in (username, name))
    of_seasons = ContentType.objects.get_for_model(Season)
    noted = LogEntry.objects.filter(content_type=of_seasons, object_id=str(season.pk), change_message__contains=made_by)
    for entry in noted:
        entry.change_message = entry.change_message.replace(made_by, shown)
        entry.save(update_fields=["change_message"])


def _note(season: Season, host: Any, flag: int, told: str, title: str = "") -> None:
    LogEntry.objects.create(
        action_time=clock.now(),
        user_id=host.pk,
        content_type=ContentType.objects.get_for_model(Season),
        object_id=str(season.pk),
        object_repr=(title or str(season))[:200],
        action_flag=flag,
        change_message=told,
    )


def _facts(season: Season) -> dict[str, str]:
    found = {name: _shown(getattr(season, name)) for name in _OF_THE_SEASON}
    for role in season.roles.order_by("user"):
        found[f"role of account {role.user_id}"] = role.role
    for member in season.cast.all():
        told = {name: getattr(member, name) for name in _OF_A_MEMBER}
        # Names belong to people and go with their account; the history only shows that one changed.
        told["link"], told["name"] = _fingerprint(member.invite_nonce), _fingerprint(member.name)
        found[f"cast, {member.handle}"] = _shown(told)
    for link in season.invitations.select_related("member"):
        told = {name: getattr(link, name) for name in _OF_A_LINK}
        told["label"] = _fingerprint(link.label)  # only hosts read it, but observers the history too
        found[f"invitation {link.pk} to {link.member.handle}"] = _shown(told)
    if call := Call.objects.filter(season=season).first():
        found["applications"] = _shown({name: getattr(call, name) for name in _OF_A_CALL})
    for each in season.applications.all():
        found[f"application {each.pk}"] = _shown({name: getattr(each, name) for name in _OF_AN_APPLICATION})
    for more in more_facts:
        found |= {name: _shown(value) for name, value in more(season).items()}
    return found


more_facts: list[Callable[[Season], Mapping[str, Any]]] = []
"""Functions of other apps that return facts about a draft by name, whose changes are recorded as well."""


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return canonical({name: each if isinstance(each, int | None) else str(each) for name, each in value.items()})
    return str(value)


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _differences(before: dict[str, str], after: dict[str, str]) -> str:
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return "\n".join(f"{name}: {before.get(name, 'nothing')} → {after.get(name, 'nothing')}" for name in names)


# -- making a season and its cast, before it begins ----------------------------------------------------------


@retrying
def create_season(
    title: str, by: Any, *, settings: dict[str, Any] | None = None, key: str = "", **fields: Any
) -> Season:
    """Make a draft, owned by `by`. With a `key` that they have used before, return the season made then. Raises
    `ConfigError` for unreadable settings, and `KeyConflict` if the key made a season with another title."""
    SeasonSettings.read(settings or {})
    now = clock.now()
    with transaction.atomic():
        if key and (made := _made_already(by, key)):
            if made.title != title:
                raise KeyConflict(f"You have already made “{made.title}” with this form. Open a new form for this one.")
            return made
        season = Season.objects.create(title=title, settings=settings or {}, created_at=now, key=key, **fields)
        SeasonRole.objects.create(season=season, user=by, role=SeasonRole.Role.OWNER, since=now)
        _note(season, by, ADDITION, _differences({}, _facts(season)))
    return season


def _made_already(by: Any, key: str) -> Season | None:
    """The season that this person made with this key. Locks the person, so that two clicks come one after the other."""
    get_user_model().objects.select_for_update().get(pk=by.pk)
    return Season.objects.filter(key=key, roles__user=by, roles__role=SeasonRole.Role.OWNER).first()


@retrying
def duplicate(season: Season, host: Any, *, key: str = "") -> Season:
    """Make a draft with the same settings, hosts and texts, without the cast, owned by this host. With a `key` used
    before, return the draft made then. Raises `NotAHost`."""
    with transaction.atomic():
        need_host(season, host)
        key = key and f"again:{season.public_id}:{key}"[:64]
        if key and (made := _made_already(host, key)):
            return made
        title = numbered(season.title, Season.objects.filter(roles__user=host))
        more = {name: getattr(season, name) for name in ("description", "settings", "usual_hour", "zone")}
        made = create_season(title, host, key=key, **more)
        others = season.roles.filter(role__in=SeasonRole.SEEING, user__is_active=True).exclude(user=host)
        with noting(made, host):
            for each in others:
                role = SeasonRole.Role.OBSERVER if each.role == SeasonRole.Role.OBSERVER else SeasonRole.Role.COHOST
                SeasonRole.objects.create(season=made, user=each.user, role=role, since=made.created_at)
            if call := Call.objects.filter(season=season).first():
                Call.objects.create(season=made, questions=call.questions, places=call.places, note=call.note)
            season_duplicated.send(Season, source=season, draft=made, host=host)
        return made


@contextmanager
def draft(season: Season, host: Any, seen: str = "") -> Iterator[Season]:
    """Lock the season for a change that is possible only before it begins. `seen`: the mark of what the host looked at,
    so that they do not unknowingly undo what others have changed meanwhile; empty for no such check. Raises `NotAHost`,
    `CommandRefused`."""
    with transaction.atomic():
        row = Season.objects.select_for_update().get(pk=season.pk)
        need_host(row, host)
        if row.status != Season.Status.DRAFT:
            raise CommandRefused(FIXED)
        if seen and seen not in (mark_of_cast(row), mark_of_settings(row)):
            raise CommandRefused(_CHANGED, code=OUTDATED)
        with noting(row, host):
            yield row


def mark_of_cast(season: Season) -> str:
    """A short hash of the cast, to notice that somebody has changed it."""
    found = season.cast.order_by("pk").values_list("pk", "handle", "name", *_OF_A_MEMBER)
    return _fingerprint(str(list(found)))


def mark_of_settings(season: Season) -> str:
    """A short hash of the settings as they were read, to notice that somebody has changed them."""
    return _fingerprint(str([getattr(season, name) for name in _OF_THE_SEASON]))


@retrying
def change_draft(season: Season, host: Any, *, seen: str = "", **fields: Any) -> None:
    """Set title, description, settings, usual_hour or zone. `seen`: see `draft`. Raises `CommandRefused`, and
    `ConfigError` for unreadable settings."""
    with draft(season, host, seen) as row:
        if "settings" in fields:
            SeasonSettings.read(fields["settings"])
        for name, value in fields.items():
            setattr(row, name, value)
        row.save(update_fields=list(fields))


def names_of(season: Season) -> list[Names]:
    """Return the names of a season's members and hosts."""
    members = season.cast.values_list("handle", "name")
    return [*map(Names._make, members), *host_names_of(season)]


def host_names_of(season: Season) -> list[Names]:
    """Return the names of a season's hosts and observers, which no member's name may resemble."""
    hosts = season.roles.exclude(role=SeasonRole.Role.FORMER).select_related("user")
    return [Names(role.user.username, role.user.get_full_name()) for role in hosts]


@retrying
def delete_draft(season: Season, host: Any) -> None:
    """Delete a season that has not begun, with its cast. Only its owner may."""
    with draft(season, host) as row:
        need_owner(row, host)
        if row.log_count:
            raise CommandRefused("This season already has a log, which nobody can delete.")
        for each in row.applications.exclude(status__in=(Application.Status.DECLINED, Application.Status.WITHDRAWN)):
            applied.send(Application, application=each, text="This season will not take place.", is_gone=True)
        row.cast.all().delete()
        row.roles.all().delete()
        row.delete()
