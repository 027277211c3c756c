"""Makes posts of what matches have told everybody: one for each webhook and row of the log, in their order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from matches.engine.step import EVERYONE
from matches.models import Announcement, Match, OutboxRow
from matches.queries.feed import feed_line, names_in
from matches.queries.heads import heads_of, in_words
from notices.match_webhooks.kinds import kind_of
from notices.models import MatchWebhook, PublicPost, PublicWebhook


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Reads what these rows told everybody, for the webhooks of their matches; gives what stores the posts."""
    listening: defaultdict[int, list[PublicWebhook]] = defaultdict(list)
    for webhook in MatchWebhook.objects.filter(match__in={row.match_id for row in rows}, stopped_at=None):
        listening[webhook.match_id].append(webhook)
    return queue(rows, listening)


def queue(rows: Sequence[OutboxRow], listening: Mapping[int, Sequence[PublicWebhook]]) -> Callable[[], None]:
    """Reads what these rows told everybody, for the webhooks that hear of their matches (by id); gives what stores the
    posts.

    A row is one post to a webhook: what happens at one moment, such as the close of a round, belongs together. All of
    it is what everybody can read in the match's feed.
    """
    concerned = [row for row in rows if listening.get(row.match_id)]
    if not concerned:
        return lambda: None
    told: defaultdict[int, list[Announcement]] = defaultdict(list)
    of_rows = [row.submission_id for row in concerned]
    for item in Announcement.objects.filter(submission__in=of_rows, audience=EVERYONE).order_by("pk"):
        told[item.submission_id].append(item)
    heads = heads_of(of_rows)
    matches = Match.objects.prefetch_related("players__user").in_bulk({row.match_id for row in concerned})
    posts: list[PublicPost] = []
    for row in concerned:
        if items := told[row.submission_id]:
            head = heads.get(row.submission_id, "")
            posts += _posts(matches[row.match_id], listening[row.match_id], items, head)
    return lambda: store(posts)


def store(posts: Sequence[PublicPost]) -> None:
    """Store new posts, inside the caller's transaction. One that is there already is left as it is."""
    of_table: defaultdict[type[PublicPost], list[PublicPost]] = defaultdict(list)
    for post in posts:
        of_table[type(post)].append(post)
    for table, mine in of_table.items():
        # One that a host removes meanwhile must not keep the others' posts from being stored.
        found = type(mine[0].webhook)._default_manager.filter(pk__in={post.webhook_id for post in mine})
        there = set(found.select_for_update().values_list("pk", flat=True))
        table._default_manager.bulk_create([post for post in mine if post.webhook_id in there], ignore_conflicts=True)


def _posts(
    match: Match, webhooks: Sequence[PublicWebhook], items: Sequence[Announcement], head: str
) -> list[PublicPost]:
    """`head`: of the log, if this closed something. Each post of a close has it, whatever else the webhook hears."""
    if not match.is_public:
        return []
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
            found.append(webhook.post_of(match, event_id=items[0].token, items=chosen, at=items[0].at))
    return found
