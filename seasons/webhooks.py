"""Webhooks of a season: the public news of the season and of its matches, in order.

They are sent, stopped and managed as those of a match (`notices.webhooks`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.crypto import salted_hmac

from matches.models import OutboxRow
from notices.models import Address, Delivery
from notices.webhooks import KINDS, Kind, OwnerType, post_of, queue, store
from seasons.models import Season, SeasonMatch, SeasonNews, SeasonRole, SeasonWebhook
from seasons.queries import standing
from seasons.queries.export import heads_of
from seasons.services.running import ANNOUNCED

if TYPE_CHECKING:
    from notices.channels.news import Board

_EVERYONE = "everyone"

_SAID_BY_THE_MATCH = frozenset({"match_began"})
"""Webhooks that also post news of matches get this from the match itself."""

SEASON = Kind("season", "The season: settlements, Death Matches, who is out, its end")
ANNOUNCEMENTS = Kind("announcements", "Announcements by the season's hosts")
_LABELS = {
    "match": "A match begins, pauses, resumes or ends, or its start or a deadline moves",
    "hosts": "Announcements by a match's hosts",
    "news": "All other public news of a match, such as each bid",
}
OF_A_SEASON = (SEASON, ANNOUNCEMENTS, *(kind._replace(label=_LABELS.get(kind.key, kind.label)) for kind in KINDS))


def _hosts_of(season: Season) -> list[int]:
    found = season.roles.filter(role__in=SeasonRole.ACTING, user__is_active=True).order_by("pk")
    return list(found.values_list("user_id", flat=True))


def board_of(season: Season, post: Delivery) -> Board:
    """Return the board of the match that a post is about, or of the season if it is about that. Reads the database."""
    from matches.pages.sharing import absolute  # slow to import
    from notices.channels.news import Board
    from seasons.web.page import PICTURE_ALT, headline_of, picture_url

    of_season = {"id": season.public_id, "title": season.title, "url": absolute(season.get_absolute_url())}
    if post.match is not None:
        board = Board.of_match(post.match)
        return replace(board, kind="season.news", about={"season": of_season, **board.about})
    state = season.decoded()
    return Board(
        kind="season.news",
        about={"season": of_season, "match": None},
        id=season.public_id,
        title=season.title,
        url=of_season["url"],
        picture=picture_url(),
        alt=PICTURE_ALT,
        headline=headline_of(season, state, standing.standings(season, state)).line,
    )


_BY_DEFAULT = (SEASON.key, ANNOUNCEMENTS.key, "match", "rounds")
SEASONS = OwnerType(
    *(SeasonWebhook, "season", Season, OF_A_SEASON, _BY_DEFAULT, _hosts_of),
    lambda season: reverse("seasons:webhooks", args=[season.public_id]),
    board_of,
)


def _listening(seasons: set[int]) -> defaultdict[int, list[Address]]:
    found: defaultdict[int, list[Address]] = defaultdict(list)
    for webhook in SeasonWebhook.objects.filter(season__in=seasons, stopped_at=None):
        found[webhook.season_id].append(webhook)
    return found


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Listen to the outbox: draft the posts of these rows for webhooks of their seasons; return what stores them."""
    seasons = SeasonMatch.objects.filter(match__in={row.match_id for row in rows})
    in_season = dict(seasons.values_list("match_id", "season_id"))
    listening = _listening(set(in_season.values())) if in_season else {}
    return queue(rows, {match: listening[season] for match, season in in_season.items() if season in listening})


def after_its_matches(news: QuerySet[SeasonNews]) -> QuerySet[SeasonNews]:
    """Return these news without those of seasons with webhooks whose matches still have earlier rows in the outbox, so
    that a settlement is not posted before the end of its match."""
    earlier = OutboxRow.objects.filter(
        match__in_season__season=OuterRef("season"), submission__received_at__lte=OuterRef("row__received_at")
    )
    return news.exclude(Exists(SeasonWebhook.objects.filter(season=OuterRef("season"))) & Exists(earlier))


def queue_news(told: Sequence[tuple[SeasonNews, str]]) -> None:
    """Store the posts of public news, given with their sentences, in the caller's transaction."""
    public = [(news, text) for news, text in told if news.audience == _EVERYONE]
    listening = _listening({news.season_id for news, _ in public})
    heads = heads_of(news.pk for news, _ in public if listening[news.season_id])
    heard = [
        (webhook, news, text) for news, text in public for webhook in listening[news.season_id] if _hears(webhook, news)
    ]
    last = {(webhook.pk, news.row_id): news.pk for webhook, news, _ in heard}
    posts = []
    for webhook, news, text in heard:
        # News of the same row shares a fingerprint, posted with the last piece.
        head = heads.get(news.pk, "") if last[webhook.pk, news.row_id] == news.pk else ""
        # The same id each time. The number of the news would reveal how many secret ones there were.
        name = salted_hmac("seasons.webhooks", str(news.pk)).hexdigest()[:24]
        items = [{"kind": news.kind, "text": text}]
        posts.append(post_of(webhook, None, name, items, news.at, head, (_kind_of(news).key,)))
    store(posts)


def _kind_of(news: SeasonNews) -> Kind:
    return ANNOUNCEMENTS if news.kind == ANNOUNCED else SEASON


def _hears(webhook: Address, news: SeasonNews) -> bool:
    kinds = webhook.details["kinds"]
    if _kind_of(news).key not in kinds or news.at < webhook.created_at:
        return False
    return news.kind not in _SAID_BY_THE_MATCH or "match" not in kinds
