"""What a person has not read in the talk of their matches, for the list of notices: of some of it they are told only
after a while."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, NamedTuple

from talk.queries.unread import unread_for, unread_in_words, unread_mentions


class UnreadTalk(NamedTuple):
    """A channel with unread messages; `words`: how many, and how many of them mention the person."""

    url: str
    match_title: str
    where: str
    words: str
    mentions: int
    latest_at: datetime


_WHERE = {"public": "public talk", "team": "your team's talk", "private": "a private talk"}


def by_channel(user: Any) -> list[UnreadTalk]:
    """Each channel with unread messages, the latest first; two statements, one if there is none."""
    unread = unread_for(user)
    named = Counter(mention.url for mention in unread_mentions(user)) if unread else Counter[str]()
    return [
        UnreadTalk(
            each.url,
            each.match_title,
            _WHERE[each.kind],
            unread_in_words(each.messages, named[each.url]),
            named[each.url],
            each.latest_at,
        )
        for each in unread
    ]
