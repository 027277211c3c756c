"""Ends a person's part in seasons when their account is deleted, and exports it.

In a running season nobody is behind the member from then on, and hosts can put somebody there, as after any departure.
"""

from typing import Any

from django.db.models import Count, Q

from matches.services import account_deletion
from matches.services.errors import retrying
from notices import retention
from notices.models import Delivery, Notice
from notices.reading import source_of
from seasons.models import Application, Member, Prediction, Season, SeasonRole, SeasonViewer
from seasons.services import applications, drafts, viewers
from seasons.services.people import give_place, record_person, stop_hosting, with_matches


def reasons(user: Any) -> list[str]:
    """Return why somebody cannot leave: seasons in progress that they own, or of which they are the only host."""
    acting = Q(roles__role__in=SeasonRole.ACTING)
    unfinished = Season.objects.exclude(status=Season.Status.ENDED)
    owned = unfinished.filter(roles__user=user, roles__role=SeasonRole.Role.OWNER)
    hosted = SeasonRole.objects.filter(user=user, role=SeasonRole.Role.COHOST).values("season")
    alone = unfinished.annotate(acting=Count("roles", filter=acting)).filter(acting=1, pk__in=hosted)
    then = "Ask the people who run this site to name an owner first."
    alone_in = [f"You are the only host of the season “{each.title}”. {then}" for each in alone]
    return [f"You own the season “{each.title}”. Hand it over first." for each in owned] + alone_in


def leave_all(user: Any, name: str) -> None:
    """End somebody's part in all seasons; show `name` instead of theirs."""
    parts = Q(cast__user=user) | Q(roles__user=user) | Q(applications__user=user)
    seasons = list(Season.objects.filter(parts).distinct())
    applications.leave_all(user)
    Prediction.objects.filter(user=user).delete()
    for role in SeasonRole.objects.filter(user=user).exclude(role=SeasonRole.Role.FORMER).order_by("pk"):
        stop_hosting(role.season, user)
    for viewer in SeasonViewer.objects.filter(user=user, stopped_at=None).select_related("season"):
        viewers.stop(viewer.season, user, viewer.token)
    for season in seasons:
        told = Notice.objects.filter(match=None, url__startswith=season.get_absolute_url()).exclude(user=user)
        own = season.cast.filter(user=user).values_list("name", flat=True)
        others = set(season.cast.exclude(user=user).values_list("name", flat=True))
        names = {user.username, str(user), *own} - others
        retention.rename(names, name, told, Delivery.objects.filter(address__seasonwebhook__season=season))
        _forget_who_invited(season, user, name)
    for member in Member.objects.filter(user=user).order_by("pk"):
        _leave_one(member, user, name)


def _forget_who_invited(season: Season, user: Any, name: str) -> None:
    """Replace their name in the invitations that they made, in the notices of these, and in the admin history."""
    made = season.invitations.filter(made_by=user.username)
    for each in list(made):
        told = Notice.objects.filter(source__startswith=source_of(each)).exclude(user=user)
        retention.rename({user.username}, name, told, Delivery.objects.none())
    made.update(made_by=name)
    drafts.rename(season, user.username, name)


@retrying
def _leave_one(member: Member, user: Any, name: str) -> None:
    with with_matches(member.season_id) as (writer, matches):
        row = writer.season.cast.filter(pk=member.pk, user=user).first()
        if row is None:
            return
        for match in matches:
            account_deletion.leave_one(match, user, name)
        stays = writer.season.status == Season.Status.RUNNING and row.status == Member.Status.IN
        if stays or writer.season.status == Season.Status.DRAFT:
            give_place(writer.season, row, None)
        row.name = name
        row.save(update_fields=["name"])
        viewers.stop_for(writer, Q(member=row))
        if stays:
            record_person(writer, row, "The account was deleted.", actor=f"member:{row.handle}", user=user)


def export(user: Any) -> dict[str, Any]:
    """Return the casts that somebody is in, their roles, applications and predictions, for their export."""
    fields = ("season__public_id", "season__title", "season__status", "handle", "name", "team", "status")
    roles = SeasonRole.objects.filter(user=user).order_by("pk")
    viewed = SeasonViewer.objects.filter(user=user).order_by("pk")
    applied = Application.objects.filter(user=user).order_by("pk")
    return {
        "applications": list(applied.values("season__public_id", "season__title", "answers", "status", "sent_at")),
        "predictions": list(
            Prediction.objects.filter(user=user).order_by("pk").values("season__public_id", "question", "handle", "at")
        ),
        "member": list(Member.objects.filter(user=user).order_by("pk").values(*fields)),
        "viewer": list(viewed.values("season__public_id", "member__handle", "accepted_at", "stopped_at")),
        "roles": list(roles.values("season__public_id", "role", "since")),
    }
