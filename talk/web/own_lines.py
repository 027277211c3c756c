"""How much a player has not read in the talk of their matches, for their own list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from matches.models import Match
from matches.pages.own_lines import Line
from talk.queries.unread import unread_for, unread_in_words, unread_mentions


def lines_in(user: Any, matches: Sequence[Match]) -> Mapping[int, Sequence[Line]]:
    """One line for each match with unread talk; two queries."""
    unread, channels = Counter[int](), Counter[int]()
    first: dict[int, str] = {}
    for channel in unread_for(user):
        unread[channel.match_id] += channel.messages
        channels[channel.match_id] += 1
        first[channel.match_id] = channel.url
    named = Counter(mention.match_id for mention in unread_mentions(user)) if unread else Counter[int]()
    return {
        match.pk: [Line(unread_in_words(unread[match.pk], named[match.pk]), _address(match, channels, first))]
        for match in matches
        if unread[match.pk]
    }


def _address(match: Match, channels: Counter[int], first: Mapping[int, str]) -> str:
    """The address of the channel if there is just one with unread messages, else of all talk."""
    return first[match.pk] if channels[match.pk] == 1 else reverse("talk:talk", args=[match.public_id])
