"""What a person has not read yet, in all of their matches: for counts, digests and notices."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Max, Min, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from matches.engine.sentences import counted
from matches.models import Match, clock
from matches.queries.access import Viewer
from talk.models import Channel, Message, Seen
from talk.queries import rights
from talk.queries.channels import unread_count

MOST_COUNTED = 99


class Unread(NamedTuple):
    """A channel in which a person has not read everything. `title` is safe to show to this person alone; `since` is
    when the first of these messages was written. It holds no text: whoever tells of it decides what may be shown."""

    match_id: int
    match_title: str
    kind: str
    url: str
    messages: int
    since: datetime
    latest_at: datetime


class Named(NamedTuple):
    """A message that names a person (@handle), which they have not read yet."""

    message_id: int
    match_id: int
    match_title: str
    kind: str
    author: str
    url: str
    at: datetime


def unread_in_words(messages: int, mentions: int) -> str:
    """“3 unread messages, 1 mentions you”."""
    many = counted(messages, "unread message")
    if messages > MOST_COUNTED:
        many = f"more than {MOST_COUNTED} unread messages"
    if not mentions:
        return many
    return f"{many}, {mentions} {'mentions' if mentions == 1 else 'mention'} you"


def unread_for(user: Any) -> list[Unread]:
    """The channels with messages that a person has not read, of the matches that they play or host and in which talk is
    still open, the latest first."""
    channels = (
        _theirs(user)
        .annotate(unread=unread_count(user))
        .filter(unread__gt=0)
        .annotate(
            since=Min("messages__at", filter=Q(messages__pk__gt=_last_seen(user))),
            latest_at=Max("messages__at"),
        )
        .select_related("match")
    )
    found = [
        Unread(
            channel.match_id,
            channel.match.title,
            channel.kind,
            url_of(channel),
            channel.unread,
            channel.since or channel.latest_at,
            channel.latest_at,
        )
        for channel in channels
    ]
    return sorted(found, key=lambda each: each.latest_at, reverse=True)


def unread_mentions(user: Any, most: int = 50) -> list[Named]:
    """The messages that name a person and that they have not read, the latest first."""
    found = (
        Message.objects.filter(mentions__user_id=user.pk, hidden_at=None, channel__in=_theirs(user))
        .filter(pk__gt=_last_seen(user, "channel_id"))
        .select_related("match", "channel")
        .order_by("-pk")[:most]
    )
    return [named_of(message) for message in found]


def named_of(message: Message) -> Named:
    """A message as a notice tells of it."""
    channel, match = message.channel, message.match
    return Named(message.pk, match.pk, match.title, channel.kind, message.name, url_of(channel), message.at)


def url_of(channel: Channel) -> str:
    """The address of a channel's page, for those who belong to it."""
    address = channel.kind if channel.kind == rights.PUBLIC else channel.token
    return reverse("talk:channel", args=[channel.match.public_id, address])


def takes_part(viewer: Viewer) -> bool:
    """Whether this viewer is told what they have not read: players and hosts are, whoever only watches is not."""
    return viewer.player is not None or viewer.is_host


def unread_in(viewer: Viewer) -> int:
    """How many messages of one match its player or host has not read, and for hosts, how many reported ones wait; 0 for
    everybody else. More than `MOST_COUNTED` are not told apart."""
    if not takes_part(viewer):
        return 0
    if not Channel.objects.filter(match=viewer.match).exists():
        return 0  # as in most matches, where building the statements below would take a third of a page's time
    channels = rights.readable_in(viewer).annotate(unread=unread_count(viewer.user))
    count: int = sum(channels.values_list("unread", flat=True)) + waiting_reports(viewer)
    return min(count, MOST_COUNTED + 1)


def waiting_reports(viewer: Viewer) -> int:
    """How many messages were reported and wait for a host's look; 0 for everybody else."""
    if not viewer.is_host:
        return 0
    reported = Message.objects.filter(match=viewer.match, reports__isnull=False, reports__settled_at=None)
    # As `reports.may_moderate`, in the same statement.
    waiting = reported.filter(match__insiders__user=viewer.user, match__insiders__played=None)
    return waiting.distinct().count()


def _theirs(user: Any) -> Any:
    """The channels that a person may read, of matches in which they take part and talk is still open."""
    taking_part = Q(match__players__user_id=user.pk) | Q(match__hosts=user.pk)
    running = ~Q(match__status__in=Match.OVER) | Q(match__finished_at__gt=clock.now() - rights.OPEN_AFTER_THE_END)
    in_these = Channel.objects.filter(taking_part & running).exclude(match__status=Match.Status.DRAFT).values("pk")
    return Channel.objects.filter(rights.readable_by(user), pk__in=Subquery(in_these))


def _last_seen(user: Any, channel: str = "pk") -> Any:
    seen = Seen.objects.filter(channel_id=OuterRef(channel), user_id=user.pk).values("last")
    return Coalesce(Subquery(seen), 0, output_field=BigIntegerField())
