"""Writing: a message in a channel, a new private channel, and the messages with a gift.

A channel's row is locked while a message is stored, so that message ids have the order in which messages become
readable: how far somebody has read is one number. The match is not locked, so talk never blocks actions.
"""

import re
from collections.abc import Collection, Iterable
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models.functions import Lower

from matches.models import Match, Player, clock
from matches.queries.access import Viewer, viewer_of
from matches.queries.matches import Position
from matches.services.errors import BadKey, KeyConflict, Refused, retrying
from matches.services.locking import lock_row
from seasons.models import Season
from talk.models import Channel, Member, Mention, Message, Speech
from talk.queries import rights
from talk.queries.channels import ChannelView, NoSuchChannel, channel_at, home_of
from talk.queries.home import Home, Person, group_of
from talk.queries.messages import MENTION, names_in, said_in
from talk.queries.rights import CONFESSIONAL, QUESTIONS, SPECTATORS, chosen_for
from talk.services import channels, limits

_KEY = re.compile(r"[!-~]{0,100}")
MOST_IN_A_GROUP = 20
LONGEST_TITLE = 40
MOST_MENTIONS = 60
"""Mentions by one author within an hour that cause notices."""


class MayNotWrite(Refused):
    """The person may not write there. Codes: `not_signed_in`, `talk_closed`, `talk_not_open`, `only_participants`,
    `only_readers`, `only_observes`, `no_private_talk`, `no_such_player`, `quiet`."""

    status = 403


class NoSuchMessage(LookupError):
    """The person has no such message."""


@retrying
def post(place: Match | Season, user: Any, address: str, text: str, key: str = "", *, publish: bool = False) -> Message:
    """Store a message in the channel with that address. If the person has sent it before with this `key`, return what
    was stored then. `publish`: release it from their confessional. Raises `NoSuchChannel`, `MayNotWrite`, `BadText`,
    `TooMuch`, `KeyConflict`, `BadKey`."""
    if not _KEY.fullmatch(key):
        raise BadKey("An idempotency key is up to 100 visible ASCII characters.")
    with transaction.atomic():
        home = home_of(place, user)
        found = channel_at(home, address)
        is_known = key and Message.objects.filter(author_id=user.pk, key=key, **home.rows).exists()
        if found.why_not and not is_known:
            raise MayNotWrite(found.why_not, code=found.closed)
        text = limits.cleaned(text)
        if found.pk is not None and (sent := _sent_before(home, found.pk, text, key)):
            return sent
        limits.need_messages_left(home)
        # `no_key`, so as not to block those who record meanwhile how far they have read.
        channel = Channel.objects.select_for_update(no_key=True).get(pk=_channel_of(home, found))
        if sent := _sent_before(home, channel.pk, text, key):  # by another request that held the lock
            return sent
        at = {"text": text, "at": clock.now(), "key": key, "published": publish and channel.kind == CONFESSIONAL}
        try:
            with transaction.atomic():
                message = Message.objects.create(channel=channel, **at, **home.author())
        except IntegrityError:
            raise KeyConflict from None
        named = _note_mentions(home, channel, message)
        transaction.on_commit(partial(_tell, message, named))
    return message


def _sent_before(home: Home, channel_id: int, text: str, key: str) -> Message | None:
    if not key:
        return None
    sent = Message.objects.filter(author_id=home.user.pk, key=key, **home.rows).first()
    if sent is not None and (sent.text != text or sent.channel_id != channel_id):
        raise KeyConflict
    return sent


def _channel_of(home: Home, found: ChannelView) -> int:
    """The id of the channel's row, which is made with its first message."""
    if found.pk is not None:
        return found.pk
    channel, is_new = Channel.objects.get_or_create(
        **home.rows, **found.room._asdict(), defaults={"created_at": clock.now()}
    )
    if is_new:
        # A team's room belongs to whoever plays in the team, a room for one member to the person who began it.
        _add_members(home, channel, home.members_of(found.room), of_persons=not found.room.team)
    return channel.pk


def _add_members(home: Home, channel: Channel, people: Iterable[Person], *, of_persons: bool = True) -> None:
    Member.objects.bulk_create(
        Member(channel=channel, user_id=each.user_id if of_persons else None, **{home.person_field: each})
        for each in people
    )


def _note_mentions(home: Home, channel: Channel, message: Message) -> frozenset[int]:
    """Store the mentions of a message whose people can read it; return their user ids."""
    handles = mentioned_in(message.text)
    if not handles:
        return frozenset()
    users = {handle.lower(): each.user_id for handle, each in home.people.items() if each.user_id is not None}
    # By usernames too: whoever has taken over a place is called by theirs, not by the place's handle.
    accounts = get_user_model().objects.filter(pk__in=users.values()).values_list("username", "pk")
    for username, pk in (*accounts, *home.hosts):
        users.setdefault(username.lower(), pk)
    if channel.kind == SPECTATORS:  # people are called by their usernames there
        named_so = get_user_model().objects.annotate(called=Lower("username")).filter(called__in=handles)
        users |= dict(named_so.values_list("called", "pk"))
    wanted = {users[handle] for handle in handles if handle in users} - {home.user.pk}
    lately = Mention.objects.filter(message__author=home.user, message__at__gt=clock.now() - timedelta(hours=1))
    # Before anybody's rights are read, as that takes long. They still see it among unread messages.
    if lately.count() + len(wanted) > MOST_MENTIONS:
        return frozenset()
    found = get_user_model().objects.filter(pk__in=wanted, is_active=True)
    named = {person.pk for person in found if rights.may_read(person, channel)}
    Mention.objects.bulk_create([Mention(message=message, user_id=pk) for pk in sorted(named)])
    return frozenset(named)


def mentioned_in(text: str) -> set[str]:
    """Return the names that a text mentions, in lower case; for “@ann.” both “ann.” and “ann”."""
    return {name.lower() for found in MENTION.findall(text) for name in names_in(found)}


def _tell(message: Message, named: frozenset[int]) -> None:
    channels.message_posted.send(
        sender=Message, message_id=message.pk, channel_id=message.channel_id, match_id=message.match_id, mentioned=named
    )


@retrying
def open_private(place: Match | Season, user: Any, handles: Collection[str], title: str = "") -> str:
    """Return the address of the private channel between somebody and these others, made with this title if there is
    none; for a season's host, of a member's room for questions. Raises `MayNotWrite`, `TooMuch`, `BadText`."""
    with transaction.atomic():
        home = home_of(place, user)
        code, why = home.why_no_private
        if code:
            raise MayNotWrite(why, code=code)
        kind, others = home.begins, _others(home, handles)
        people = others if kind == QUESTIONS else [home.people[home.handle], *others]
        title = " ".join(limits.cleaned(title, longest=LONGEST_TITLE, field="title").split()) if title.strip() else ""
        group = group_of(people)
        known = Channel.objects.filter(kind=kind, group=group, **home.rows).first()
        if known is not None:
            return known.token
        limits.need_channels_left(home)
        channel, is_new = Channel.objects.get_or_create(
            **home.rows, kind=kind, team="", group=group, defaults={"created_at": clock.now(), "title": title}
        )
        if is_new:
            _add_members(home, channel, people)
        return channel.token


def _others(home: Home, handles: Collection[str]) -> list[Person]:
    wanted = [handle for handle in dict.fromkeys(handles) if handle != home.handle]
    word, field = home.people_word, "to"
    if not wanted:
        raise MayNotWrite(f"Choose at least one other {home.person_field}.", code="no_such_player", field=field)
    if home.begins == QUESTIONS and len(wanted) > 1:
        raise MayNotWrite("Choose one member.", code="no_such_player", field=field)
    if len(wanted) >= MOST_IN_A_GROUP:
        message = f"A private room has at most {MOST_IN_A_GROUP} people. Choose fewer."
        raise MayNotWrite(message, code="no_such_player", field=field)
    for handle in wanted:
        if handle not in home.people or not home.may_join(home.people[handle]):
            who = "who are not bots" if home.of == "match" else "who are in and not bots"
            raise MayNotWrite(f"Choose {word} of this {home.of} {who}.", code="no_such_player", field=field)
    return [home.people[handle] for handle in wanted]


@retrying
def release(season: Season, user: Any, token: str, *, publish: bool) -> None:
    """Set whether everybody may read a text of one's own confessional once the season has ended; can be changed until
    then. Raises `NoSuchMessage`, `MayNotWrite`."""
    with transaction.atomic():
        # Under the season's lock, as it cannot change once the season has ended.
        home = home_of(Season.objects.select_for_update(no_key=True).get(pk=season.pk), user)
        mine = Message.objects.filter(author_id=user.pk, token=token, channel__kind=CONFESSIONAL, **home.rows)
        if not mine.exists():
            raise NoSuchMessage
        if home.row.is_over:
            raise MayNotWrite("The season has ended, so you can no longer change this.", code="talk_closed")
        mine.update(published=publish)


__all__ = ["MOST_IN_A_GROUP", "MayNotWrite", "NoSuchChannel", "mentioned_in", "open_private", "post", "release"]


# -- messages with a gift of Tokens of Life, stored before the gift is made and shown when it is announced ---

LONGEST_SPEECH = 200
NO_GIFT = "You have no gift to give now."
_DECISION = "give_tokens"


class NotNow(Refused):
    """No gift is asked of this player now, or the match has no messages with gifts."""

    code = "not_your_decision"
    status = 409


def speeches_offered(match: Match) -> bool:
    """Whether players of this match can add a message to a gift."""
    return chosen_for(match).speeches


def take_speech(viewer: Viewer, text: str) -> None:
    """Store the message from the form of a gift, unless no gift is asked for: then the rules refuse the gift itself."""
    try:
        keep_speech(viewer.match, viewer.user, text)
    except NotNow:
        return


@retrying
def keep_speech(match: Match, user: Any, text: str) -> None:
    """Store the player's message for the gift that is asked of them, replacing an earlier one; empty text removes it.
    Nobody else can read it. Raises `NotNow`, `BadText`."""
    words = limits.cleaned(text, longest=LONGEST_SPEECH, field="words") if text.strip() else ""
    if "\n" in words:
        words = " ".join(words.split())
    with transaction.atomic():
        # Under the match's lock, as the message cannot change once the gift is made.
        viewer = viewer_of(lock_row(match.pk), user)
        if viewer.player is None or viewer.player.is_bot or not speeches_offered(viewer.match) or not _is_asked(viewer):
            raise NotNow(NO_GIFT)
        if not words:
            Speech.objects.filter(match=viewer.match, player=viewer.player).delete()
            return
        Speech.objects.update_or_create(
            match=viewer.match, player=viewer.player, defaults={"author_id": user.pk, "text": words, "at": clock.now()}
        )


def forget_speech(player: Player, **_: Any) -> None:
    """Receive `place_changed_hands` and `place_played_by_others` of `matches.services.signals`: delete the player's
    message for a gift that was not made, so that it does not go with one that somebody else chooses."""
    match = Match.objects.get(pk=player.match_id)
    if not any(said.player == player.handle for said in said_in(match)):
        Speech.objects.filter(match=match, player=player).delete()


def _is_asked(viewer: Viewer) -> bool:
    own = Position(viewer.match).private_of(viewer.player)
    return own is not None and any(ask.kind == _DECISION for ask in own.asked)
