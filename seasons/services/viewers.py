"""Trusted viewers of a season: a host names them, the member accepts, everybody knows of them, and any of these people
(the viewer too) can stop it."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from matches.models import clock
from matches.services.commands import role_of
from matches.services.errors import CommandRefused, retrying
from seasons.engine.season import ACCEPTED, DECLINED, NAMED, STOPPED, WITHDRAWN
from seasons.models import Member, Season, SeasonRole, SeasonViewer
from seasons.services.running import commanded
from seasons.services.writer import Kind, Writer, locked_season

_NOT_RUNNING = "Nobody can add or remove a trusted viewer unless the season is running."


def active(*seasons: Season) -> QuerySet[SeasonViewer]:
    """Return the present trusted viewers of these seasons; none after a season's end."""
    running = [each for each in seasons if each.status == Season.Status.RUNNING]
    found = SeasonViewer.objects.filter(season__in=running, stopped_at=None).exclude(accepted_at=None)
    return found.select_related("member", "user")


def offered(members: Sequence[Member]) -> QuerySet[SeasonViewer]:
    """Return the trusted viewers about whom these members have yet to decide."""
    return SeasonViewer.objects.filter(member__in=members, stopped_at=None, accepted_at=None).select_related("user")


def why_no_viewer(season: Season, person: Any) -> str:
    """Say why a person cannot be a trusted viewer; empty if they can."""
    if not person.is_active or person.is_bot:
        return f"The account of {person} is closed or belongs to a bot."
    if season.cast.filter(user_id=person.pk, status=Member.Status.IN).exists():
        return f"{person} still plays in this season, so they cannot see what another member sees."
    if season.roles.filter(user_id=person.pk, role__in=SeasonRole.SEEING).exists():
        return f"{person} hosts or observes this season, and already sees everything."
    if season.viewers.filter(user_id=person.pk, stopped_at=None).exists():
        return f"{person} is already a trusted viewer of this season, or a host has proposed them."
    return ""


@retrying
def name_viewer(season: Season, host: Any, member: Member, person: Any, *, key: str = "") -> None:
    """Name a member's trusted viewer; the member is then asked. Raises `NotAHost`, `CommandRefused`, and `AlreadyDone`
    if the `key` was used before."""
    with commanded(season, host, key) as writer:
        _need_running(writer)
        row = writer.season.cast.get(pk=member.pk)
        if row.user_id is None or row.status != Member.Status.IN:
            raise CommandRefused(
                "Only a person who still plays can have a trusted viewer.", code="not_in", field="member"
            )
        if why_not := why_no_viewer(writer.season, person):
            raise CommandRefused(why_not, code="not_eligible", field="person")
        SeasonViewer.objects.create(season=writer.season, member=row, user=person, named_at=clock.now())
        _record(writer, row, person, NAMED, user=host, key=key)


@retrying
def answer(season: Season, user: Any, token: str, *, accepts: bool) -> SeasonViewer:
    """Accept or decline a trusted viewer, as the member. Raises `CommandRefused`."""
    with locked_season(season.pk) as writer:
        _need_running(writer)
        found = _found(writer, Q(token=token, member__user_id=user.pk, accepted_at=None))
        why_not = "" if not accepts else _why_no_longer(writer.season, found)
        if why_not:
            raise CommandRefused(why_not, code="not_eligible")
        found.accepted_at, found.stopped_at = (writer.now, None) if accepts else (None, writer.now)
        found.save(update_fields=["accepted_at", "stopped_at"])
        by = {"actor": f"member:{found.member.handle}", "user": user}
        _record(writer, found.member, found.user, ACCEPTED if accepts else DECLINED, **by)
    return found


def _why_no_longer(season: Season, viewer: SeasonViewer) -> str:
    """Why somebody can no longer be a trusted viewer: they may have joined the cast since they were named."""
    others = season.viewers.filter(user_id=viewer.user_id, stopped_at=None).exclude(pk=viewer.pk)
    if others.exists() or season.cast.filter(user_id=viewer.user_id, status=Member.Status.IN).exists():
        return f"{viewer.user} now plays in this season, so they cannot see what you see."
    return ""


@retrying
def stop(season: Season, user: Any, token: str) -> SeasonViewer:
    """End a trusted viewer, as the member, the viewer or a host. Raises `CommandRefused`."""
    with locked_season(season.pk) as writer:
        role = role_of(writer.season, user)
        theirs = Q() if role is not None and role.acts else Q(member__user_id=user.pk) | Q(user_id=user.pk)
        found = _found(writer, Q(token=token) & theirs)
        _stop(writer, found, actor=f"person:{user.username}", user=user)
    return found


def stop_for(writer: Writer, which: Q) -> None:
    """End all of these in a locked season, as a place has changed hands or an account is deleted."""
    for found in SeasonViewer.objects.filter(which, season=writer.season, stopped_at=None).select_related("member"):
        _stop(writer, found)


def _stop(writer: Writer, found: SeasonViewer, **by: Any) -> None:
    was_known = found.accepted_at is not None
    found.stopped_at = writer.now
    found.save(update_fields=["stopped_at"])
    if writer.season.status == Season.Status.RUNNING:
        _record(writer, found.member, found.user, STOPPED if was_known else WITHDRAWN, **by)


def _found(writer: Writer, which: Q) -> SeasonViewer:
    waiting = SeasonViewer.objects.filter(which, season=writer.season, stopped_at=None)
    found = waiting.select_related("member", "user").first()
    if found is None:
        raise CommandRefused("That trusted viewer is no longer there.", code="not_found")
    return found


def _need_running(writer: Writer) -> None:
    if writer.season.status != Season.Status.RUNNING:
        raise CommandRefused(_NOT_RUNNING, code="wrong_phase")


def _record(writer: Writer, member: Member, person: Any, did: str, **by: Any) -> None:
    writer.record(Kind.VIEWER, {"player": member.handle, "viewer": person.username, "did": did}, **by)
