"""What every page of talk starts with, and what other pages say of talk: its tab, what is unread or waits for hosts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from matches.engine.sentences import counted
from matches.models import Match
from matches.pages.context import People
from matches.pages.desk import Need
from matches.pages.extensions import Addition, Line, Tab
from matches.queries.access import Viewer
from matches.web.match_page import MatchPage, open_match_page
from talk.models import Message
from talk.queries import reports, rights
from talk.queries.channels import ChannelView, NoSuchChannel, channel_at, channels_of
from talk.queries.unread import takes_part, unread_for, unread_in, unread_in_words, unread_mentions, waiting_reports


def needs_in(user: Any, matches: Sequence[Match]) -> Mapping[int, Sequence[Need]]:
    """Reported messages that nobody has looked at, and what the host has not read; two queries."""
    addresses = {match.pk: reverse("talk:talk", args=[match.public_id]) for match in matches}
    found: dict[int, list[Need]] = defaultdict(list)
    reported = Message.objects.filter(match__in=addresses, reports__isnull=False, reports__settled_at=None)
    reported = reported.filter(match__insiders__user=user).order_by()
    counts: dict[int, int] = dict(reported.values_list("match").annotate(count=Count("pk", distinct=True)))
    for pk, count in counts.items():
        found[pk].append(Need(f"{counted(count, 'reported message')}", addresses[pk]))
    unread: dict[int, int] = defaultdict(int)
    for channel in unread_for(user) if addresses else ():
        unread[channel.match_id] += channel.messages
    for pk in unread.keys() & addresses.keys():
        found[pk].append(Need(f"{counted(unread[pk], 'unread message')} in talk", addresses[pk], "unread"))
    return found


# -- own lines -------------------------------------------------------------------------------------------
# How much a player has not read in the talk of their matches, for their own list.


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


# -- tab -------------------------------------------------------------------------------------------------
# The tab of talk on a match's pages.


def additions_of(viewer: Viewer) -> tuple[Addition, ...]:
    """The tab, with how much this viewer has not read; nothing for those who could not read anything there."""
    if may_come_in(viewer):
        href = reverse("talk:talk", args=[viewer.match.public_id])
        asks = reverse("talk:unread", args=[viewer.match.public_id]) if takes_part(viewer) else ""
        public = rights.chosen_for(viewer.match).public
        latest = reverse("talk:latest", args=[viewer.match.public_id, rights.PUBLIC]) if public else ""
        return (Tab("talk", "Talk", href, unread_in(viewer), asks, latest, holds=("hosts",)),)
    return ()


def may_come_in(viewer: Viewer) -> bool:
    """Whether this viewer has anything to read or to choose there."""
    return viewer.player is not None or viewer.sees or rights.chosen_for(viewer.match).public


# -- page ------------------------------------------------------------------------------------------------
# What every page of talk starts with: the match, its viewer, and the channels that this viewer may read.


class TalkPage:
    """One viewer in the talk of one match."""

    def __init__(self, page: MatchPage) -> None:
        self.page = page
        self.viewer = page.viewer
        self.match = page.match

    @cached_property
    def channels(self) -> list[ChannelView]:
        return channels_of(self.viewer)

    def channel(self, address: str) -> ChannelView:
        """The channel of that address. Raises `Http404`."""
        try:
            return channel_at(self.viewer, address)
        except NoSuchChannel:
            raise Http404("no such channel") from None

    def address(self, name: str, *args: str) -> str:
        """The address of one of talk's pages."""
        return reverse(f"talk:{name}", args=[self.match.public_id, *args])

    def render(self, request: HttpRequest, template: str, *, status: int = 200, **more: Any) -> HttpResponse:
        """A page in the frame of the match's pages."""
        chosen = rights.chosen_for(self.match)
        context = self.page.context(
            "talk",
            talk_channels=self.channels,
            chosen=chosen,
            role=rights.role_of(self.viewer),
            closes_at=rights.closes_at(self.match),
            may_begin=chosen.private and self.viewer.player is not None and not self._why_not_private(),
            is_host=self.viewer.is_host,
            moderates=reports.may_moderate(self.viewer),
            waiting=waiting_reports(self.viewer),
            **more,
        )
        return render(request, template, context, status=status)

    def _why_not_private(self) -> str:
        return rights.why_not_write(self.viewer, rights.PRIVATE)[0]

    @property
    def people(self) -> People:
        return self.page.shown.people


def open_talk(request: HttpRequest, public_id: str) -> TalkPage:
    """The talk of a match as this viewer may see it. Raises `Http404`, also for whoever has nothing to read there."""
    page = open_match_page(request, public_id)
    if not may_come_in(page.viewer):
        raise Http404("nothing to read")
    return TalkPage(page)
