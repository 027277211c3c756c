"""Tells pages that are open that somebody has written. What was written they ask for themselves: the request decides
who may read it. In a lounge, where hundreds may look on, its readers get the message itself instead."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from matches.live.messages import Hint
from matches.live.publisher import publisher
from talk.models import Channel, Message
from talk.queries import rights


def on_message(*, channel_id: int, message_id: int, mentioned: Collection[int] | None = None, **_: Any) -> None:
    """A receiver of talk's signals, after the commit; `mentioned` where a message is new."""
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


def _in_season(channel: Channel, new: Message | None, mentioned: Collection[int]) -> None:
    asking = readers = rights.reader_ids(channel)
    facts = (("season", channel.season.public_id if channel.season else ""), ("channel", channel.token))
    if new is not None and channel.kind in (rights.LOUNGE, rights.SPECTATORS):
        asking = readers & {new.author_id, *mentioned}
        told = (("id", new.token), ("name", new.name), ("text", new.text), ("at", new.at.isoformat()))
        publisher.hint(Hint("season_talk", 0, (*facts, *told), readers - asking))
    publisher.hint(Hint("season_talk", 0, facts, asking))
