"""The channels of a match as one viewer may know them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, cast

from django.db.models import BigIntegerField, Count, F, Max, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from msgspec import Struct

from matches.engine.sentences import joined
from matches.models import Match, Player
from matches.queries.access import Viewer
from talk.models import Channel, Message, Seen
from talk.queries import rights
from talk.queries.rights import PRIVATE, PUBLIC, TEAM

OWN_TEAM = "team"


class ChannelInfo(Struct, frozen=True, kw_only=True):
    """A channel that you may read. `channel` is its place in addresses, `players` belong to it (none: everybody),
    `readers` a sentence."""

    channel: str
    kind: Literal["public", "team", "private"]
    title: str
    players: tuple[str, ...]
    readers: str


class OwnChannel(ChannelInfo, frozen=True, kw_only=True):
    """The same with how many messages you have not read, and whether you may write (or else why not)."""

    unread: int
    may_write: bool
    why_not: str | None


class ChannelView(OwnChannel, frozen=True, kw_only=True):
    """The same for pages. `pk` is None as long as nobody has written in it. `closed`: the code of `why_not`."""

    pk: int | None
    closed: str
    is_mine: bool
    token: str
    latest: int


class NoSuchChannel(LookupError):
    """There is no such channel, or this viewer may not read it; both get the same answer."""


def channels_of(viewer: Viewer) -> list[ChannelView]:
    """The channels that a viewer may read: public talk, their team's, and the private ones, latest first."""
    found = {_name_of(channel): channel for channel in _channels(viewer)}
    chosen, own_team = rights.chosen_for(viewer.match), _own_team(viewer)
    seen = []
    if chosen.public:
        seen.append(_seen_by(viewer, PUBLIC, found.pop((PUBLIC, ""), None)))
    if own_team:
        seen.append(_seen_by(viewer, TEAM, found.pop((TEAM, own_team), None), own_team))
    others = sorted(found.values(), key=lambda channel: -(channel.latest or 0))
    seen += [_seen_by(viewer, channel.kind, channel, channel.team) for channel in others]
    return seen


def channel_at(viewer: Viewer, address: str) -> ChannelView:
    """The channel of that address. Raises `NoSuchChannel`."""
    for channel in channels_of(viewer) if address else ():
        if address in (channel.channel, channel.token):
            return channel
    raise NoSuchChannel


def _own_team(viewer: Viewer) -> str:
    """The viewer's team, if it has a channel."""
    match, player = viewer.match, viewer.player
    if player is None or not match.has_begun or not rights.chosen_for(match).team:
        return ""
    if not player.team and not match.rules.teams:
        return ""
    return rights.teams_of(match).get(player.handle, "")


def _channels(viewer: Viewer) -> Iterable[Any]:
    found: Iterable[Any] = (
        rights.readable_in(viewer)
        .annotate(latest=Max("messages__pk"), unread=unread_count(viewer.user))
        .prefetch_related("members__player")
    )
    return found


def unread_count(user: Any) -> Any:
    """How many messages of a channel a person has not seen yet; those that they wrote themselves do not count."""
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


def _name_of(channel: Channel) -> tuple[str, str]:
    return (channel.kind, channel.token if channel.kind == PRIVATE else channel.team)


def _seen_by(viewer: Viewer, kind: str, channel: Any, team: str = "") -> ChannelView:
    match = viewer.match
    people = _people(match, kind, channel, team)
    mine = kind == PUBLIC or (viewer.player is not None and viewer.player.handle in people)
    address = PUBLIC if kind == PUBLIC else OWN_TEAM if kind == TEAM and mine else channel.token
    closed, why_not = rights.why_not_write(viewer, kind, is_member=mine)
    return ChannelView(
        channel=str(address),
        kind=cast(Any, str(kind)),
        pk=None if channel is None else channel.pk,
        title=title_of(match, kind, team, people, viewer.player),
        players=people,
        readers=readers_in_words(match, kind, people, team, viewer.player),
        may_write=not closed,
        why_not=why_not or None,
        closed=closed,
        is_mine=mine,
        token="" if channel is None else channel.token,
        unread=0 if channel is None else channel.unread,
        latest=0 if channel is None else channel.latest or 0,
    )


def _people(match: Match, kind: str, channel: Any, team: str) -> tuple[str, ...]:
    if kind == PUBLIC:
        return ()
    if kind == TEAM:
        teams = rights.teams_of(match)
        return tuple(each.handle for each in match.players.all() if each.user_id and teams.get(each.handle) == team)
    return tuple(player.handle for player in _belonging(channel))


def _belonging(channel: Channel) -> list[Player]:
    members = [each for each in channel.members.all() if each.user_id in (None, each.player.user_id)]
    return [each.player for each in sorted(members, key=lambda each: (each.player.position, each.player_id))]


# -- in words ----------------------------------------------------------------------------------------


def title_of(match: Match, kind: str, team: str, people: tuple[str, ...], me: Player | None) -> str:
    """What a channel is called for one viewer."""
    if kind == PUBLIC:
        return "Public"
    if kind == TEAM:
        return f"Team {team}"
    names = {player.handle: player.shown_name for player in match.players.all()}
    others = [names[handle] for handle in people if me is None or handle != me.handle]
    return ", ".join(others) or "Only you"


def readers_in_words(match: Match, kind: str, people: tuple[str, ...], team: str, me: Player | None) -> str:
    """Who may read what is written here, said before anybody writes."""
    if kind == PUBLIC:
        return "Everybody can read this for ever, even without an account."
    names = {player.handle: player.shown_name for player in match.players.all()}
    listed = ["you" if me is not None and handle == me.handle else names[handle] for handle in people]
    who = f"the players of team {team} ({joined(listed)})" if kind == TEAM else joined(listed)
    if rights.chosen_for(match).hosts_read:
        hosts = rights.hosts_who_read(match)
        named = f" ({joined(hosts)})" if hosts else ""
        return f"Only {who} can read this, and the hosts of this match{named}."
    return f"Only {who} can read this. The hosts of this match cannot; they read a message only if a reader reports it."
