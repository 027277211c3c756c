"""What a person has not read yet, in all of their matches and seasons: for counts, digests and notices."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from matches.engine.sentences import counted, joined
from matches.models import Match, MatchRole, clock
from seasons.models import Season, SeasonRole
from talk.models import Channel, Message, Seen
from talk.queries import rights
from talk.queries.channels import is_muted, unread_count
from talk.queries.home import Home
from talk.queries.rights import PRIVATE, QUESTIONS, TEAM

MOST_COUNTED = 99
_LOOKED_AT = 500


class Author(NamedTuple):
    """The author of a message: the name to show, and the role in which they wrote."""

    name: str
    role: str


class Unread(NamedTuple):
    """A channel with unread messages. `is_muted`: the person wants no notices of it; `room`: its name as it follows
    “in”; `authors`: who wrote these messages, the latest first; `since`: when the first was written. It holds no text,
    so that it can be shown anywhere."""

    home: Match | Season
    kind: str
    is_muted: bool
    room: str
    authors: Sequence[Author]
    url: str
    messages: int
    since: datetime
    latest_at: datetime


class Named(NamedTuple):
    """An unread message that mentions a person (@handle)."""

    message_id: int
    home: Match | Season
    room: str
    author: str
    url: str
    at: datetime


_ROOMS = {
    "public": "public talk",
    "team": "your team’s room",
    "private": "a private room",
    "lounge": "the lounge",
    "questions": "questions to the hosts",
    "confessional": "a confessional",
    "spectators": "the spectators’ lounge",
}
_NAMED = 3


def room_in_words(channel: Channel) -> str:
    """Return the room as it follows “in” in a sentence; a private one by its title."""
    return f"“{channel.title}”" if channel.title else _ROOMS[channel.kind]


def authors_in_words(authors: Sequence[Author]) -> str:
    """Return “Ann and Bob” or “Ann, Bob, Cat and 2 others”; “Somebody” if there were too many messages to look at."""
    names = list(dict.fromkeys(author.name for author in authors)) or ["Somebody"]
    more = names[_NAMED:]
    return joined([*names[:_NAMED], *([counted(len(more), "other")] if more else [])])


def unread_in_words(messages: int, mentions: int) -> str:
    """Return “3 unread messages, 1 mentions you”."""
    many = counted(messages, "unread message")
    if messages > MOST_COUNTED:
        many = f"more than {MOST_COUNTED} unread messages"
    if not mentions:
        return many
    return f"{many}, {mentions} {'mentions' if mentions == 1 else 'mention'} you"


def unread_for(user: Any) -> list[Unread]:
    """Return the channels with unread messages, of the matches and seasons in which a person takes part and in which
    talk is still open, the latest first."""
    new = Message.objects.filter(channel=OuterRef("pk"), pk__gt=OuterRef("seen"), hidden_at=None)
    new = new.exclude(author_id=user.pk)
    rows = [
        channel
        for channels in _theirs(user)
        for channel in channels.annotate(unread=unread_count(user), seen=_last_seen(user), is_muted=is_muted(user))
        .filter(unread__gt=0)
        .annotate(since=Subquery(_at(new, "pk")), latest_at=Subquery(_at(new, "-pk")))
        .select_related("match", "season")
        .defer("match__state", "season__state")
    ]
    authors = _authors(user, [channel.pk for channel in rows])
    found = [
        Unread(
            _home_of(channel),
            channel.kind,
            channel.is_muted,
            room_in_words(channel),
            authors[channel.pk],
            url_of(channel),
            channel.unread,
            channel.since,
            channel.latest_at,
        )
        for channel in rows
    ]
    return sorted(found, key=lambda each: each.latest_at, reverse=True)


def _authors(user: Any, channels: Sequence[int]) -> Mapping[int, Sequence[Author]]:
    """Who wrote the unread messages of each of these channels, the latest first."""
    found: defaultdict[int, list[Author]] = defaultdict(list)
    if channels:
        new = Message.objects.filter(channel__in=channels, hidden_at=None, pk__gt=_last_seen(user, "channel_id"))
        latest = new.exclude(author_id=user.pk).order_by("-pk")
        for channel, *author in latest.values_list("channel_id", "name", "role")[:_LOOKED_AT]:
            found[channel].append(Author(*author))
    return found


def _at(messages: QuerySet[Message], order: str) -> Any:
    return messages.order_by(order).values("at")[:1]


_MOST_MENTIONS = 50
"""How many are looked for in matches, and in seasons."""


def unread_mentions(user: Any) -> list[Named]:
    """Return the unread messages that mention a person, the latest first."""
    found = [
        message
        for channels in _theirs(user)
        for message in Message.objects.filter(mentions__user_id=user.pk, hidden_at=None, channel__in=channels)
        .filter(pk__gt=_last_seen(user, "channel_id"))
        .select_related("match", "season", "channel")
        .defer("match__state", "season__state")
        .order_by("-pk")[:_MOST_MENTIONS]
    ]
    return [named_of(message) for message in sorted(found, key=lambda each: -each.pk)[:_MOST_MENTIONS]]


def named_of(message: Message) -> Named:
    """Return what a notice of a mention tells about a message."""
    channel, home = message.channel, _home_of(message)
    return Named(message.pk, home, room_in_words(channel), message.name, _url_in(home, channel), message.at)


def _home_of(row: Channel | Message) -> Match | Season:
    home = row.match or row.season
    if home is None:
        raise RuntimeError("neither of a match nor of a season")
    return home


def url_of(channel: Channel) -> str:
    """Return the path of a channel's page, for those who belong to it."""
    return _url_in(_home_of(channel), channel)


def _url_in(home: Match | Season, channel: Channel) -> str:
    is_common = channel.kind not in (TEAM, PRIVATE) and not channel.group
    name = "talk:channel" if isinstance(home, Match) else "season_talk:channel"
    return reverse(name, args=[home.public_id, channel.kind if is_common else channel.token])


def takes_part(home: Home) -> bool:
    """Whether this viewer is told of unread messages: players, members and hosts are, spectators are not."""
    return home.handle != "" or home.is_host


def unread_in(home: Home) -> int:
    """Return how many messages of one match or season its player, member or host has not read, plus for hosts the
    reports that wait; 0 for others. Stops counting after `MOST_COUNTED`."""
    if not takes_part(home):
        return 0
    if not Channel.objects.filter(**home.rows).exists():
        return 0  # as in most matches, where just building the queries below would take a third of a page's time
    channels = Channel.objects.filter(home.told, **home.rows).annotate(unread=unread_count(home.user))
    count: int = sum(channels.values_list("unread", flat=True)) + waiting_reports(home)
    return min(count, MOST_COUNTED + 1)


def news_in(home: Home) -> str:
    """Say who has written what this viewer has not read, and where: “Ann and Bob in the lounge”; or nothing."""
    channels = Channel.objects.filter(home.told, **home.rows).annotate(unread=unread_count(home.user))
    rows = {channel.pk: channel for channel in channels.filter(unread__gt=0)}
    authors = _authors(home.user, list(rows))
    said = [f"{authors_in_words(found)} in {room_in_words(rows[pk])}" for pk, found in authors.items()]
    more = len(said) - _NAMED
    return "; ".join([*said[:_NAMED], *([f"and in {counted(more, 'other room')}"] if more > 0 else [])])


def unanswered(user: Any, seasons: Sequence[Season]) -> Counter[int]:
    """Count, for each season that the user hosts, the rooms for questions in which a member has the last word."""
    last = Message.objects.filter(channel_id=OuterRef("pk"), hidden_at=None).order_by("-pk").values("role")[:1]
    asked = Channel.objects.filter(kind=QUESTIONS, season__in=_hosted(user, seasons)).annotate(last=Subquery(last))
    return Counter(pk or 0 for pk in asked.filter(last=Message.Role.MEMBER).values_list("season_id", flat=True))


def reported_in_seasons(user: Any, seasons: Sequence[Season]) -> Counter[int]:
    """Count, for each season that the user hosts, the reported messages that wait for a decision."""
    found = Message.objects.filter(season__in=_hosted(user, seasons), reports__settled_at=None, reports__isnull=False)
    return Counter(pk or 0 for pk in found.distinct().values_list("season_id", flat=True))


def _hosted(user: Any, seasons: Sequence[Season]) -> Any:
    held = SeasonRole.objects.filter(season__in=seasons, user_id=user.pk, role__in=SeasonRole.ACTING)
    return held.exclude(season__cast__user_id=user.pk).values("season")


def waiting_reports(home: Home) -> int:
    """Return how many reported messages wait for this viewer's decision; 0 for those who do not moderate."""
    if not home.is_host or not home.moderates:
        return 0
    reported = Message.objects.filter(**home.rows, reports__isnull=False, reports__settled_at=None)
    return reported.distinct().count()


def _theirs(user: Any) -> Iterator[QuerySet[Channel]]:
    """The channels that a person may read in matches, then in seasons, in which they take part and talk is still open.
    Includes spectators' lounges in which they have written or were mentioned."""
    hosting = Q(match__roles__user_id=user.pk, match__roles__role__in=MatchRole.ACTING)
    taking_part = Q(match__players__user_id=user.pk) | hosting
    since = clock.now() - rights.OPEN_AFTER_THE_END
    running = ~Q(match__status__in=Match.OVER) | Q(match__finished_at__gt=since)
    in_these = Channel.objects.filter(taking_part & running).exclude(match__status=Match.Status.DRAFT)
    # Read first, since most people have none, and just building the query of what they may read takes long.
    if known := set(in_these.values_list("pk", flat=True)):
        yield Channel.objects.filter(rights.readable_by(user), pk__in=known)
    parts = [part for part in rights.parts_of(user) if part.season.ended_at is None or part.season.ended_at > since]
    open_still = Q(season__ended_at=None) | Q(season__ended_at__gt=since)
    theirs = Q(season__in=[part.season.pk for part in parts])
    of_seasons = rights.named_or_wrote(user.pk) & open_still & ~theirs
    for part in parts:
        of_seasons |= rights.told_in(part)
    yield Channel.objects.filter(of_seasons)


def _last_seen(user: Any, channel: str = "pk") -> Any:
    seen = Seen.objects.filter(channel_id=OuterRef(channel), user_id=user.pk).values("last")
    return Coalesce(Subquery(seen), 0, output_field=BigIntegerField())
