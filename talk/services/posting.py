"""Writing: a message in a channel, and a new private channel.

A channel's row is locked while a message is stored, so that its messages get their ids in the order in which they can
be read: how far somebody has read is one number. The match is not locked, so talk never keeps anybody from acting.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from matches.models import Match, Player, clock
from matches.queries.access import Viewer, viewer_of
from matches.services.errors import BadKey, KeyConflict, Refused
from matches.services.storage.retry import retrying
from talk.models import Channel, Member, Mention, Message
from talk.queries import rights
from talk.queries.channels import ChannelView, NoSuchChannel, channel_at
from talk.queries.rights import PRIVATE, TEAM
from talk.services import channels, limits

_KEY = re.compile(r"[!-~]{0,100}")
_MENTION = re.compile(r"(?<![\w@.])@([A-Za-z0-9][A-Za-z0-9_.-]{0,29})")
MOST_IN_A_GROUP = 20
MOST_MENTIONS = 60
"""So many mentions of one author within an hour are told of."""


class MayNotWrite(Refused):
    """The codes say why: `not_signed_in`, `talk_closed`, `talk_not_open`, `only_participants`, `only_readers`,
    `no_private_talk`, `no_such_player`."""

    status = 403


@retrying
def post(match: Match, user: Any, address: str, text: str, key: str = "") -> Message:
    """Store what a person writes in the channel of that address; with a `key` that they have used for the same, give
    what was stored then. Raises `NoSuchChannel`, `MayNotWrite`, `BadText`, `TooMuch`, `KeyConflict`, `BadKey`."""
    if not _KEY.fullmatch(key):
        raise BadKey("An idempotency key is up to 100 visible ASCII characters.")
    with transaction.atomic():
        viewer = _viewer(match, user)
        found = channel_at(viewer, address)
        _need_to_write(found)
        text = limits.cleaned(text)
        if found.pk is not None and (sent := _sent_before(viewer, found.pk, text, key)):
            return sent
        limits.need_messages_left(match.pk, user)
        channel = _locked(_channel_of(viewer, found))
        if sent := _sent_before(viewer, channel.pk, text, key):  # by another request that held the lock
            return sent
        try:
            with transaction.atomic():
                message = _store(viewer, channel, text, key)
        except IntegrityError:
            raise KeyConflict("This key was used for another message.") from None
        named = _note_mentions(viewer, channel, message)
        transaction.on_commit(partial(_tell, message, named))
    return message


def _viewer(match: Match, user: Any) -> Viewer:
    """The match and this person's part in it, as they are now."""
    return viewer_of(Match.objects.get(pk=match.pk), user)


def _need_to_write(channel: ChannelView) -> None:
    if channel.why_not:
        raise MayNotWrite(channel.why_not, code=channel.closed)


def _sent_before(viewer: Viewer, channel_id: int, text: str, key: str) -> Message | None:
    if not key:
        return None
    sent = Message.objects.filter(author_id=viewer.user.pk, match=viewer.match, key=key).first()
    if sent is not None and (sent.text != text or sent.channel_id != channel_id):
        raise KeyConflict("This key was used for another message.")
    return sent


def _channel_of(viewer: Viewer, found: ChannelView) -> int:
    """The channel's row, made with its first message."""
    if found.pk is not None:
        return found.pk
    match, team = viewer.match, ""
    if found.kind == TEAM and viewer.player is not None:
        team = rights.teams_of(match)[viewer.player.handle]
    channel, is_new = Channel.objects.get_or_create(
        match=match, kind=found.kind, team=team, group="", defaults={"created_at": clock.now()}
    )
    if is_new and team:
        teams = rights.teams_of(match)
        players = [player for player in match.players.all() if teams.get(player.handle) == team]
        Member.objects.bulk_create([Member(channel=channel, player=player) for player in players])
    return channel.pk


def _locked(channel_id: int) -> Channel:
    # No key: whoever notes meanwhile how far they have read does not wait.
    return Channel.objects.select_for_update(no_key=True).get(pk=channel_id)


def _store(viewer: Viewer, channel: Channel, text: str, key: str) -> Message:
    player = viewer.player
    return Message.objects.create(
        match=viewer.match,
        channel=channel,
        author_id=viewer.user.pk,
        player=player,
        role=rights.role_of(viewer) or "",
        name=player.shown_name if player is not None else viewer.user.username,
        text=text,
        at=clock.now(),
        key=key,
    )


def _note_mentions(viewer: Viewer, channel: Channel, message: Message) -> frozenset[int]:
    """Note whom the message names, as far as they can read it; their ids."""
    handles = mentioned_in(message.text)
    if not handles:
        return frozenset()
    users: dict[str, int] = {
        player.handle.lower(): player.user_id for player in viewer.match.players.all() if player.user_id is not None
    }
    for host in viewer.match.hosts.all():
        users.setdefault(host.username.lower(), host.pk)
    wanted = {users[handle] for handle in handles if handle in users} - {viewer.user.pk}
    found = get_user_model().objects.filter(pk__in=wanted, is_active=True)
    lately = Mention.objects.filter(message__author=viewer.user, message__at__gt=clock.now() - timedelta(hours=1))
    named = {person.pk for person in found if _can_read(person, channel)}
    if lately.count() + len(named) > MOST_MENTIONS:  # they still find it among what they have not read
        return frozenset()
    Mention.objects.bulk_create([Mention(message=message, user_id=pk) for pk in sorted(named)])
    return frozenset(named)


def mentioned_in(text: str) -> set[str]:
    """The names that a text mentions, in small letters; of “@ann.” both “ann.” and “ann”."""
    found = {name.lower() for name in _MENTION.findall(text)}
    return found | {name.rstrip(".-_") for name in found}


def _can_read(user: Any, channel: Channel) -> bool:
    return Channel.objects.filter(rights.readable_by(user), pk=channel.pk).exists()


def _tell(message: Message, named: frozenset[int]) -> None:
    channels.message_posted.send(
        sender=Message,
        message_id=message.pk,
        channel_id=message.channel_id,
        match_id=message.match_id,
        mentioned=named,
    )


@retrying
def open_private(match: Match, user: Any, handles: Collection[str]) -> str:
    """The address of the private channel between a player and these others, made if there is none yet. Raises
    `MayNotWrite`, `TooMuch`."""
    with transaction.atomic():
        viewer = _viewer(match, user)
        if viewer.player is None:
            raise MayNotWrite("Private talk is between players of this match.", code="only_participants")
        if not rights.chosen_for(viewer.match).private:
            raise MayNotWrite("The hosts have chosen that this match has no private talk.", code="no_private_talk")
        code, why = rights.why_not_write(viewer, PRIVATE)
        if code:
            raise MayNotWrite(why, code=code)
        people = [viewer.player, *_others(viewer, handles)]
        group = _group_of(people)
        known = Channel.objects.filter(match=viewer.match, kind=PRIVATE, group=group).first()
        if known is not None:
            return known.token
        limits.need_channels_left(match.pk, user)
        return _opened(viewer.match, group, people)


def _others(viewer: Viewer, handles: Collection[str]) -> list[Player]:
    players = {player.handle: player for player in viewer.match.players.all()}
    wanted = [handle for handle in dict.fromkeys(handles) if viewer.player is None or handle != viewer.player.handle]
    if not wanted:
        raise MayNotWrite("Choose at least one other player.", code="no_such_player", field="to")
    if len(wanted) >= MOST_IN_A_GROUP:
        raise MayNotWrite(
            f"A conversation has at most {MOST_IN_A_GROUP} people. Choose fewer.", code="no_such_player", field="to"
        )
    for handle in wanted:
        if handle not in players or players[handle].user_id is None:
            raise MayNotWrite("Choose players of this match, not bots.", code="no_such_player", field="to")
    return [players[handle] for handle in wanted]


def _group_of(people: Collection[Player]) -> str:
    """The same for the same people in the same places."""
    named = ",".join(sorted(f"{player.pk}:{player.user_id}" for player in people))
    return hashlib.sha256(named.encode()).hexdigest()


def _opened(match: Match, group: str, people: Collection[Player]) -> str:
    channel, is_new = Channel.objects.get_or_create(
        match=match, kind=PRIVATE, team="", group=group, defaults={"created_at": clock.now()}
    )
    if is_new:
        Member.objects.bulk_create([Member(channel=channel, player=each, user_id=each.user_id) for each in people])
    return channel.token


__all__ = ["MOST_IN_A_GROUP", "MayNotWrite", "NoSuchChannel", "mentioned_in", "open_private", "post"]
