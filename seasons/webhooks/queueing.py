"""Makes posts for webhooks of seasons: of what their matches tell everybody, and of what the seasons tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.crypto import salted_hmac

from matches.models import OutboxRow
from matches.queries.heads import in_words
from notices.match_webhooks.queueing import queue, store
from notices.models import PublicWebhook
from seasons.models import SeasonMatch, SeasonNews, SeasonWebhook
from seasons.queries.export import heads_of
from seasons.webhooks.desk import SEASON

_EVERYONE = "everyone"

_SAID_BY_THE_MATCH = frozenset({"match_began"})
"""A webhook that hears of matches has this from the match itself."""


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Reads what these rows told everybody, for the webhooks of the seasons of their matches; gives what stores the
    posts."""
    seasons = SeasonMatch.objects.filter(match__in={row.match_id for row in rows})
    in_season = dict(seasons.values_list("match_id", "season_id"))
    if not in_season:
        return lambda: None
    of_season: defaultdict[int, list[PublicWebhook]] = defaultdict(list)
    for webhook in SeasonWebhook.objects.filter(season__in=in_season.values(), stopped_at=None):
        of_season[webhook.season_id].append(webhook)
    return queue(rows, {match: of_season[season] for match, season in in_season.items() if of_season[season]})


def after_its_matches(news: QuerySet[SeasonNews]) -> QuerySet[SeasonNews]:
    """Those of these news before which nothing of their season's matches waits in the outbox, where somebody hears of
    both: a settlement is not told before the end of its match."""
    earlier = OutboxRow.objects.filter(
        match__in_season__season=OuterRef("season"), submission__received_at__lte=OuterRef("row__received_at")
    )
    return news.exclude(Exists(SeasonWebhook.objects.filter(season=OuterRef("season"))) & Exists(earlier))


def queue_news(told: Sequence[tuple[SeasonNews, str]]) -> None:
    """Store the posts of what seasons have told everybody, each with its sentence, in the caller's transaction."""
    of_season: defaultdict[int, list[SeasonWebhook]] = defaultdict(list)
    public = [(news, text) for news, text in told if news.audience == _EVERYONE]
    for webhook in SeasonWebhook.objects.filter(season__in={news.season_id for news, _ in public}, stopped_at=None):
        of_season[webhook.season_id].append(webhook)
    heads = heads_of(news.pk for news, _ in public if of_season[news.season_id])
    heard = [
        (webhook, news, text) for news, text in public for webhook in of_season[news.season_id] if _hears(webhook, news)
    ]
    last = {(webhook.pk, news.row_id): news.pk for webhook, news, _ in heard}
    posts = []
    for webhook, news, text in heard:
        # What happens together has one fingerprint, behind the last of it.
        head = heads.get(news.pk, "") if last[webhook.pk, news.row_id] == news.pk else ""
        posts.append(webhook.post_of(None, event_id=_id(news), items=_items(news.kind, text, head), at=news.at))
    store(posts)


def _items(kind: str, text: str, head: str) -> list[dict[str, str]]:
    fingerprint = [{"kind": "fingerprint", "text": in_words(head)}] if head else []
    return [{"kind": kind, "text": text}, *fingerprint]


def _hears(webhook: SeasonWebhook, news: SeasonNews) -> bool:
    if SEASON.key not in webhook.kinds or news.at < webhook.created_at:
        return False
    return news.kind not in _SAID_BY_THE_MATCH or "match" not in webhook.kinds


def _id(news: SeasonNews) -> str:
    """The name of the post, the same each time. Its number would count what others were told in secret."""
    return salted_hmac("seasons.webhooks", str(news.pk)).hexdigest()[:24]
