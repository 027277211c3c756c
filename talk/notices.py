"""Notices of talk: at once for mentions, after a while for other unread messages, soon for questions to hosts and their
answers.

The tasks look at the messages since shortly before their last run, which the cache remembers, and ask which of them are
unread now: nothing is lost while they do not run (if the cache was lost too: for two hours). The source of a notice
keeps it from being sent twice. Notices never contain the text of messages, since others may see some people's mail.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Concat

from accounts.models import User
from matches.engine.notice_events import ANSWERED, ASKED
from matches.engine.sentences import counted
from matches.live.messages import Hint
from matches.live.publisher import publisher
from matches.models import clock
from notices import events
from notices.models import Notice
from notices.outbox import store
from notices.reading import mark_read
from seasons.models import Season, SeasonRow
from talk.models import Channel, Mention, Message, Seen
from talk.queries import rights
from talk.queries.unread import (
    Named,
    Unread,
    authors_in_words,
    named_of,
    unread_for,
    unread_in_words,
    unread_mentions,
    url_of,
)

WAITS, SOON = timedelta(minutes=10), timedelta(minutes=1)
"""How long messages stay unread before somebody is notified, and those of a private room or to the hosts."""

_PERSONAL = (rights.PRIVATE, rights.QUESTIONS)
_LOOKS_BACK = timedelta(hours=2)
_RUN_AT = "talk.told."  # the beginning of keys in the cache
_AT_ONCE = 500
_OF_ROOMS = ("close_rooms", "reopen_rooms")


def tell_of_mentions() -> int:
    """Notify people who were mentioned in messages that they have not read; return how many notices."""
    now = clock.now()
    told = Notice.objects.filter(user=OuterRef("user"), source=Concat(Value("mention:"), OuterRef("message__token")))
    read = Seen.objects.filter(
        channel=OuterRef("message__channel"), user=OuterRef("user"), last__gte=OuterRef("message")
    )
    recent = Mention.objects.filter(message__gt=_last_before(events.MENTIONED, now), message__hidden_at=None)
    new = recent.filter(~Exists(told), ~Exists(read))

    def of(user: User) -> list[Notice]:
        unread = [named.message_id for named in unread_mentions(user)]  # without what they may no longer read
        mine = new.filter(user=user, message__in=unread)
        return [
            _of_mention(each) for each in mine.select_related("message__match", "message__season", "message__channel")
        ]

    return _tell(new.values("user"), of, events.MENTIONED, now)


def tell_of_messages() -> int:
    """Notify people of unread messages; return how many notices. The next comes after they read and new ones came."""
    now = clock.now()
    ripe = Q(at__lte=now - WAITS) | Q(at__lte=now - SOON, channel__kind__in=_PERSONAL)
    read = Seen.objects.filter(channel=OuterRef("channel"), user=OuterRef(OuterRef("pk")), last__gte=OuterRef("pk"))
    unread = Message.objects.filter(ripe, pk__gt=_last_before(events.MESSAGE, now), hidden_at=None)
    unread = unread.filter(~Q(author=OuterRef("pk")), ~Exists(read))
    near = Q(Exists(unread.filter(channel__kind=rights.SPECTATORS, channel__messages__author=OuterRef("pk"))))
    for people in ("match__players", "match__roles", "season__cast", "season__roles"):
        near |= Q(Exists(unread.filter(**{f"{people}__user": OuterRef("pk")})))

    def of(user: User) -> list[Notice]:
        return [
            _of_unread(user, each)
            for each in unread_for(user)
            if each.since <= now - (SOON if each.kind in _PERSONAL else WAITS) and not each.is_muted
        ]

    return _tell(User.objects.filter(near).values("pk"), of, events.MESSAGE, now)


def _last_before(event: str, now: datetime) -> int:
    """The id of the last message that the last run of the task that tells this event has surely dealt with."""
    run_at = cache.get(_RUN_AT + event)
    since = min(now, run_at) - 2 * WAITS if run_at else now - _LOOKS_BACK
    return Message.objects.filter(at__lte=since).order_by("-pk").values_list("pk", flat=True).first() or 0


def _tell(ids: Any, notices_of: Callable[[User], list[Notice]], event: str, now: datetime) -> int:
    """Store the notices of these people, some people at once, and when this was done; return how many were new."""
    told = last = 0
    while people := list(User.objects.filter(pk__in=ids, pk__gt=last, is_active=True).order_by("pk")[:_AT_ONCE]):
        told += _stored([notice for user in people for notice in notices_of(user)])
        last = people[-1].pk
    cache.set(_RUN_AT + event, now, None)
    return told


def on_channel_read(*, channel_id: int, user: Any, **_: Any) -> None:
    """Receive `talk.services.channels.channel_read`: mark the notices about that channel as read."""
    mine = Notice.objects.filter(user=user, read_at=None, event__in=(events.MESSAGE, events.MENTIONED, ASKED, ANSWERED))
    if not mine.exists():
        return
    channel = Channel.objects.select_related("match", "season").get(pk=channel_id)
    mark_read(user, list(mine.filter(url=url_of(channel)).values_list("token", flat=True)))


def _of_mention(mention: Mention) -> Notice:
    named: Named = named_of(mention.message)
    return Notice.of(
        events.MENTIONED,
        named.home,
        user_id=mention.user_id,
        source=f"mention:{mention.message.token}",
        text=f"{named.author} mentions you in {named.room}.",
        url=named.url,
        at=named.at,
    )


def _event_of(unread: Unread) -> str:
    if unread.kind != Channel.Kind.QUESTIONS:
        return events.MESSAGE
    is_asked = any(author.role == Message.Role.MEMBER for author in unread.authors)
    return ASKED if is_asked else ANSWERED


def _of_unread(user: User, unread: Unread) -> Notice:
    source = f"talk:{unread.url}:{unread.since.timestamp():.6f}"
    text = f"{authors_in_words(unread.authors)} wrote {counted(unread.messages, 'message')} in {unread.room}."
    fields = {"source": source, "text": text, "url": unread.url, "at": unread.latest_at}
    return Notice.of(_event_of(unread), unread.home, user=user, **fields)


def _stored(notices: list[Notice]) -> int:
    try:
        with transaction.atomic():
            return len(store(notices))
    except IntegrityError:  # another process is storing them at this moment
        return 0


def by_channel(user: Any) -> list[dict[str, Any]]:
    """Return each channel that a person has unread messages in, the latest first, for the list of notices, as notices
    of some come only after a while. Two queries, one if there is nothing."""
    unread = unread_for(user)
    named = Counter(mention.url for mention in unread_mentions(user)) if unread else Counter[str]()
    return [
        {
            "url": each.url,
            "match_title": each.home.title,
            "where": each.room,
            "authors": authors_in_words(each.authors),
            "words": unread_in_words(each.messages, named[each.url]),
            "mentions": named[each.url],
            "latest_at": each.latest_at,
        }
        for each in unread
    ]


# -- hints to open pages -------------------------------------------------------------------------------------


def on_message(*, channel_id: int, message_id: int, mentioned: Collection[int] | None = None, **_: Any) -> None:
    """Receive talk's signals, after the commit; `mentioned` is given for new messages."""
    channel = Channel.objects.select_related("match", "season").get(pk=channel_id)
    if channel.season is not None:
        _in_season(channel, None if mentioned is None else Message.objects.get(pk=message_id), mentioned or ())
        return
    match = channel.match
    if match is None:
        return
    facts = (("match", match.public_id), ("channel", channel.token))
    if channel.kind == rights.PUBLIC:
        publisher.hint(Hint("talk", match.pk, facts))
    else:
        publisher.hint(Hint("talk", match.pk, facts, rights.reader_ids(channel)))


def on_season(*, season_id: int, **_: Any) -> None:
    """Receive `seasons.services.writer.season_changed`: when hosts have closed or opened rooms, open pages of the
    season's people reload. Other commands of hosts about talk, such as on reports, cause no hint."""
    season = Season.objects.get(pk=season_id)
    row = season.log.order_by("number").last()
    if row is None or row.kind != SeasonRow.Kind.TALK or json.loads(row.payload)["command"] not in _OF_ROOMS:
        return
    people = {*season.cast.values_list("user_id", flat=True), *season.roles.values_list("user_id", flat=True)}
    publisher.hint(Hint("season_talk", 0, (("season", season.public_id),), frozenset(people - {None})))


def _in_season(channel: Channel, new: Message | None, mentioned: Collection[int]) -> None:
    asking = readers = rights.reader_ids(channel)
    facts = (("season", channel.season.public_id if channel.season else ""), ("channel", channel.token))
    if new is not None and channel.kind in (rights.LOUNGE, rights.SPECTATORS):
        asking = readers & {new.author_id, *mentioned}
        told = (("id", new.token), ("name", new.name), ("text", new.text), ("at", new.at.isoformat()))
        publisher.hint(Hint("season_talk", 0, (*facts, *told), readers - asking))
    publisher.hint(Hint("season_talk", 0, facts, asking))
