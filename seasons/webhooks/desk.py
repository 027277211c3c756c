"""What the webhooks of seasons have of their own: their kinds of news, what a post is about, who looks after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from notices.match_webhooks.desks import Desk
from notices.match_webhooks.kinds import KINDS, Kind
from seasons.models import Season, SeasonPost, SeasonRole, SeasonWebhook

if TYPE_CHECKING:
    from notices.match_webhooks.bodies import Board

SEASON = Kind("season", "The season: settlements, Death Matches, who is out, its end", frozenset())
_LABELS = {
    "match": "A match begins, pauses, goes on, is moved, ends",
    "hosts": "Announcements of the hosts of a match",
    "news": "Everything else that everybody is told in a match, such as each public bid",
}
OF_A_SEASON = (SEASON, *(kind._replace(label=_LABELS.get(kind.key, kind.label)) for kind in KINDS))


def page_of(season: Season) -> str:
    """Where a season's hosts look after its webhooks."""
    return reverse("seasons:webhooks", args=[season.public_id])


def hosts_of(season: Season) -> list[int]:
    """The ids of those who look after them."""
    found = season.roles.filter(role__in=SeasonRole.ACTING, user__is_active=True).order_by("pk")
    return list(found.values_list("user_id", flat=True))


def board_of(webhook: SeasonWebhook, post: SeasonPost) -> Board:
    """What a post says of what it is about. Reads the database."""
    from seasons.webhooks import boards  # slow to import

    return boards.board_of(webhook.season, post.match)


DESK = Desk(
    webhooks=SeasonWebhook,
    posts=SeasonPost,
    owners=Season,
    kinds=OF_A_SEASON,
    by_default=("season", "match", "rounds"),
    board_of=board_of,
    hosts_of=hosts_of,
    page_of=page_of,
)
