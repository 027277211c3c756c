"""What hosts may know of the invitations to their season."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from matches.models import clock
from matches.queries.invitations import MOST, Sent, sent
from seasons.models import Member, Season, SeasonInvitation
from seasons.services.invitations import invitation_of


def open_places(season: Season) -> QuerySet[Member]:
    """The members whom somebody can be, in the order of the cast; none after the end."""
    if season.status == Season.Status.ENDED:
        return season.cast.none()
    return season.cast.filter(user=None, is_bot=False, status=Member.Status.IN).order_by("position", "pk")


def sent_in(season: Season) -> list[Sent]:
    """The invitations that were made, sent or used, the latest first."""
    now = clock.now()
    found = season.invitations.select_related("member", "sent_to", "used_by")[:MOST]
    return [_sent(each, season, now) for each in found]


def _sent(each: SeasonInvitation, season: Season, now: datetime) -> Sent:
    shown = sent(each, each.member, now, is_over=season.status == Season.Status.ENDED)
    return shown._replace(code=invitation_of(each.member) if shown.works else "")
