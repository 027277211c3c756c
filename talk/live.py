"""Tells pages that are open that somebody has written. What was written they ask for themselves: the request decides
who may read it."""

from __future__ import annotations

from typing import Any

from matches.live.messages import Hint
from matches.live.publisher import publisher
from talk.models import Channel
from talk.queries import rights


def on_message(*, channel_id: int, **_: Any) -> None:
    """A receiver of talk's signals, after the commit."""
    channel = Channel.objects.select_related("match", "season").get(pk=channel_id)
    if channel.season is not None:
        facts = (("season", channel.season.public_id), ("channel", channel.token))
        publisher.hint(Hint("season_talk", 0, facts, rights.reader_ids(channel)))
        return
    match = channel.match
    if match is None:
        return
    facts = (("match", match.public_id), ("channel", channel.token))
    if channel.kind == rights.PUBLIC:
        publisher.hint(Hint("talk", match.pk, facts))
    else:
        publisher.hint(Hint("talk", match.pk, facts, rights.reader_ids(channel)))
