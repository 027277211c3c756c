"""What every page of talk starts with: the match, its viewer, and the channels that this viewer may read."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from matches.pages.context import People
from matches.web.match_page import MatchPage, open_match_page
from talk.queries import reports, rights
from talk.queries.channels import ChannelView, NoSuchChannel, channel_at, channels_of
from talk.queries.unread import waiting_reports
from talk.web.tab import may_come_in


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
