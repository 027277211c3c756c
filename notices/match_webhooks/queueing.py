"""Makes posts of what matches have told everybody: one for each webhook and row of the log, in their order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from django.db.models import prefetch_related_objects

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match, OutboxRow
from matches.queries.feed import feed_line, names_in
from matches.queries.heads import heads_of, in_words
from notices.match_webhooks.kinds import kind_of
from notices.models import MatchPost, MatchWebhook


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Reads what these rows told everybody, for the webhooks that hear of it; gives what stores the posts.

    A row is one post to a webhook: what happens at one moment, such as the close of a round, belongs together. All of
    it is what everybody can read in the match's feed.
    """
    webhooks: defaultdict[int, list[MatchWebhook]] = defaultdict(list)
    of_matches = {row.match_id for row in rows}
    for webhook in MatchWebhook.objects.filter(match__in=of_matches, stopped_at=None).select_related("match"):
        webhooks[webhook.match_id].append(webhook)
    if not webhooks:
        return lambda: None
    told: defaultdict[int, list[Announcement]] = defaultdict(list)
    concerned = [row.submission_id for row in rows if row.match_id in webhooks]
    for item in Announcement.objects.filter(submission__in=concerned, audience=EVERYONE).order_by("pk"):
        told[item.submission_id].append(item)
    posts: list[MatchPost] = []
    heads = heads_of(concerned)
    for row in rows:
        listening = webhooks.get(row.match_id, [])
        if listening and told[row.submission_id]:
            head = heads.get(row.submission_id, "")
            posts += _posts(listening[0].match, listening, told[row.submission_id], head)
    return lambda: _store(posts)


def _store(posts: list[MatchPost]) -> None:
    # One that a host removes meanwhile must not keep the others' posts from being stored.
    there = set(
        MatchWebhook.objects.select_for_update()
        .filter(pk__in={post.webhook_id for post in posts})
        .values_list("pk", flat=True)
    )
    MatchPost.objects.bulk_create([post for post in posts if post.webhook_id in there], ignore_conflicts=True)


def _posts(match: Match, webhooks: Sequence[MatchWebhook], items: Sequence[Announcement], head: str) -> list[MatchPost]:
    """`head`: of the log, if this closed something. Each post of a close has it, whatever else the webhook hears."""
    if not match.is_public:
        return []
    prefetch_related_objects([match], "players__user")
    names = names_in(match)
    lines = [
        (kind_of(match.rules, item.kind), {"kind": item.kind, "text": feed_line(match, item, names).text})
        for item in items
    ]
    fingerprint = [{"kind": "fingerprint", "text": in_words(head)}] if head else []
    found = []
    for webhook in webhooks:
        chosen = [line for kind, line in lines if kind in webhook.kinds]
        chosen += fingerprint if chosen else []
        if chosen and items[0].at >= webhook.created_at:
            # A random name, as it is in the feed: a number would count what others were told in secret.
            found.append(MatchPost(webhook=webhook, event_id=items[0].token, items=chosen, at=items[0].at))
    return found
