"""The channels of a match or season as one viewer may see them; pages call them rooms."""

from collections.abc import Iterable
from typing import Any, Literal, cast

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from msgspec import Struct

from matches.models import Match
from matches.queries import access
from matches.queries.paging import Page, page_of, place_of
from seasons.models import Season
from seasons.queries import access as season_access
from talk.models import Channel, Message, Seen
from talk.queries.home import Home, Room
from talk.queries.match_home import MatchHome
from talk.queries.rights import PRIVATE, TEAM
from talk.queries.season_home import SeasonHome

LISTED = 40
"""How many rooms that people have opened are listed beside a room, those with the latest messages."""


class ChannelInfo(Struct, frozen=True, kw_only=True):
    """A channel that you may read. `channel` identifies it in URLs. `players`: the players or members who belong to it
    (none: everybody). `readers`: a sentence about who can read it."""

    channel: str
    kind: Literal["public", "team", "private", "lounge", "questions", "confessional", "spectators"]
    title: str
    players: tuple[str, ...]
    readers: str


class OwnChannel(ChannelInfo, frozen=True, kw_only=True):
    """A channel with its number of unread messages, and whether you may write there (or why not)."""

    unread: int
    may_write: bool
    why_not: str | None


class ChannelView(OwnChannel, frozen=True, kw_only=True):
    """A channel for pages. `pk` is None until somebody writes in it. `closed`: the code of `why_not`; `is_muted`: the
    viewer wants no notices of it; `known_to`: who reads it, in a few words."""

    pk: int | None
    closed: str
    is_mine: bool
    is_muted: bool
    token: str
    latest: int
    known_to: str
    room: Room


class NoSuchChannel(LookupError):
    """The channel does not exist, or this viewer may not read it; both get the same answer."""


def home_of(row: Match | Season, user: Any) -> Home:
    """Return the talk of this match or season as the person sees it, read anew."""
    if isinstance(row, Match):
        return MatchHome(access.viewer_of(Match.objects.get(pk=row.pk), user))
    return SeasonHome(season_access.viewer_of(Season.objects.get(pk=row.pk), user))


def channels_of(home: Home, most: int | None = None, after: str = "") -> list[ChannelView]:
    """Return the channels that a viewer may read: the standing ones, then `most` of the others (None: all), latest
    first. `after` (a token): only others that come after this one. Raises `UnknownPlace`."""
    standing = [] if after else home.standing
    rows = home.rooms()
    if most is not None:
        latest = rows.exclude(_among(home.standing)).annotate(latest=_LATEST).order_by("-latest", "-pk")
        if after:
            at, key = place_of(latest.filter(token=after).values_list("latest", "pk"))
            latest = latest.filter(Q(latest__lt=at) | Q(latest=at, pk__lt=key))
        keys = list(latest.values_list("pk", flat=True)[:most])
        rows = rows.filter(_among(standing) | Q(pk__in=keys))
    found = {_room_of(channel): channel for channel in _with_counts(home, rows)}
    seen = [_seen_by(home, room, found.pop(room, None)) for room in standing]
    others = sorted(found.items(), key=lambda each: (-(each[1].latest or 0), -each[1].pk))
    return seen + [_seen_by(home, room, channel) for room, channel in others]


def talk_page(home: Home, most: int, after: str) -> Page[ChannelView]:
    """Return a page of `channels_of`. Raises `UnknownPlace`."""
    found = channels_of(home, most + 1, after)
    others = len(found) - (0 if after else len(home.standing))
    return page_of(found, len(found) - (others > most), lambda each: each.token)


def has_more(home: Home, listed: list[ChannelView]) -> bool:
    """Whether there are rooms beyond these."""
    return len(listed) >= LISTED and home.rooms().count() > sum(each.pk is not None for each in listed)


def rooms_page(home: Home, most: int, after: str) -> Page[ChannelView]:
    """Return a page of all rooms that somebody has opened, the newest first. Raises `UnknownPlace`."""
    rows = home.rooms().order_by("-pk")
    if after:
        (key,) = place_of(rows.filter(token=after).values_list("pk"))
        rows = rows.filter(pk__lt=key)
    keys = list(rows.values_list("pk", flat=True)[: most + 1])
    channels = sorted(_with_counts(home, Channel.objects.filter(pk__in=keys)), key=lambda each: -each.pk)
    return page_of([_seen_by(home, _room_of(each), each) for each in channels], most, lambda each: each.token)


def channel_at(home: Home, address: str) -> ChannelView:
    """Return the channel with this address. Raises `NoSuchChannel`."""
    standing = home.standing if address else ()
    for room in standing:
        if address == str(room.kind):
            row = next(iter(_with_counts(home, home.rooms().filter(_is_room(room)))), None)
            return _seen_by(home, room, row)
    found = next(iter(_with_counts(home, home.rooms().filter(token=address)) if address else ()), None)
    if found is None:
        raise NoSuchChannel
    return _seen_by(home, _room_of(found), found)


def _room_of(channel: Channel) -> Room:
    return Room(channel.kind, channel.team, channel.token if channel.kind == PRIVATE else channel.group)


def _is_room(room: Room) -> Q:
    return Q(kind=room.kind, team=room.team, group=room.group)


def _among(rooms: Iterable[Room]) -> Q:
    found = Q(pk__in=[])
    for room in rooms:
        found |= _is_room(room)
    return found


_LATEST = Coalesce(
    Subquery(Message.objects.filter(channel_id=OuterRef("pk")).order_by("-pk").values("pk")[:1]),
    0,
    output_field=BigIntegerField(),
)


def _with_counts(home: Home, rows: QuerySet[Channel]) -> Iterable[Any]:
    counted = rows.annotate(latest=_LATEST, unread=unread_count(home.user), is_muted=is_muted(home.user))
    return counted.prefetch_related("members")


def unread_count(user: Any) -> Any:
    """The subquery of how many messages of a channel a person has not read, without their own."""
    if user.pk is None:
        return Value(0)
    seen = Seen.objects.filter(channel_id=OuterRef("channel_id"), user_id=user.pk).values("last")
    new = (
        Message.objects.filter(channel_id=OuterRef("pk"), hidden_at=None)
        .exclude(author_id=user.pk)
        .annotate(seen=Coalesce(Subquery(seen), 0, output_field=BigIntegerField()))
        .filter(pk__gt=F("seen"))
        .order_by()
        .values("channel_id")
        .annotate(count=Count("pk"))
        .values("count")
    )
    return Coalesce(Subquery(new), 0)


def is_muted(user: Any) -> Exists:
    """The subquery of whether a person wants no notices of a channel."""
    return Exists(Seen.objects.filter(channel_id=OuterRef("pk"), user_id=user.pk, muted=True))


def _seen_by(home: Home, room: Room, channel: Any) -> ChannelView:
    people = _people(home, room, channel)
    is_standing = room in home.standing
    mine = is_standing or (home.handle != "" and home.handle in people)
    closed, why_not = home.why_not_write(room.kind, is_member=mine)
    return ChannelView(
        channel=str(room.kind) if is_standing else channel.token,
        kind=cast(Any, str(room.kind)),
        pk=None if channel is None else channel.pk,
        title=home.title_of(room, people, "" if channel is None else channel.title),
        players=people,
        readers=home.readers_of(room, people),
        may_write=not closed,
        why_not=why_not or None,
        closed=closed,
        is_mine=mine,
        is_muted=channel is not None and channel.is_muted,
        token="" if channel is None else channel.token,
        unread=channel.unread if channel is not None and home.counts(mine) else 0,
        latest=0 if channel is None else channel.latest or 0,
        known_to=home.known_to(room.kind, people, is_mine=mine),
        room=room,
    )


def _people(home: Home, room: Room, channel: Any) -> tuple[str, ...]:
    if room.kind == TEAM:
        return home.in_team(room.team)
    if not room.group:
        return ()
    if channel is None:
        return (home.handle,)
    persons = {person.pk: person for person in home.people.values()}
    found = [(each, persons[getattr(each, f"{home.person_field}_id")]) for each in channel.members.all()]
    belonging = [person for each, person in found if each.user_id in (None, person.user_id)]
    return tuple(person.handle for person in sorted(belonging, key=lambda each: (each.position, each.pk)))
