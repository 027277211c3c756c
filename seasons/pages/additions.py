"""What seasons add to the pages of matches and people."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from matches.models import clock
from matches.pages.additions import Panel
from matches.pages.personal import Mine
from matches.pages.profiles import Section
from matches.queries.access import Viewer
from matches.queries.bidirectional import set_apart
from seasons.engine.settings import BY_CANDIDATE
from seasons.engine.state import OPPONENT
from seasons.models import Member, Season
from seasons.queries import standing
from seasons.services.bringing import place_of


def in_its_season(viewer: Viewer) -> tuple[Panel, ...]:
    """The panel of a match that belongs to a season; nothing for one that stands alone."""
    found = place_of(viewer.match)
    if found is None or not found.season.is_public:
        return ()
    cast = list(found.season.cast.values_list("status", "user_id"))
    context = {
        "season": found.season,
        "found": found,
        "members": len(cast),
        "still_in": sum(status == Member.Status.IN for status, _ in cast),
        "mine": viewer.user.is_authenticated and any(user_id == viewer.user.pk for _, user_id in cast),
    }
    return (Panel("season", "In its season", SafeString(render_to_string("seasons/in_season.html", context))),)


def seasons_of(user: Any, viewer: Any) -> Section | None:
    """The seasons of a person, on their profile."""
    members = list(
        Member.objects.filter(user=user)
        .exclude(season__status=Season.Status.DRAFT)
        .select_related("season")
        .order_by("-season__created_at", "-pk")[:50]
    )
    if not members:
        return None
    html = render_to_string("seasons/in_profile.html", {"members": members})
    data = [
        {
            "id": member.season.public_id,
            "title": member.season.title,
            "status": member.status,
            "place": member.place,
        }
        for member in members
    ]
    return Section("seasons", "Seasons", SafeString(html), data)


def mine(user: Any) -> Mine | None:
    """Their seasons on the page of their own matches, first of all where they are to name an opponent."""
    members = list(
        Member.objects.filter(user=user)
        .exclude(season__status=Season.Status.DRAFT)
        .select_related("season")
        .order_by("-season__created_at", "-pk")[:50]
    )
    if not members:
        return None
    asks = [asked for member in members if (asked := _to_name(member))]
    listed = render_to_string("seasons/in_profile.html", {"members": members})
    return Mine("seasons", "Your seasons", SafeString(listed), tuple(asks))


def _to_name(member: Member) -> SafeString | None:
    season = member.season
    if season.status != Season.Status.RUNNING or member.status != Member.Status.IN:
        return None
    state = standing.state_of(season)
    going = standing.going_on(season, state)
    if state is None or going.phase != OPPONENT or state.settings.opponent != BY_CANDIDATE:
        return None
    if member.handle not in going.candidates:
        return None
    context = {"member": member, "name": set_apart(member.shown_name), "closes": going.closes, "now": clock.now()}
    return SafeString(render_to_string("seasons/to_name.html", context))
