"""The base of all pages of talk, and what other pages show about talk: its tab, unread messages, and tasks of hosts."""

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from matches.engine.sentences import counted
from matches.models import Match
from matches.pages.desk import Need
from matches.pages.extensions import Addition, Line, Tab
from matches.queries.access import Viewer
from matches.web.match_page import MatchPage, open_match_page
from seasons.models import Season
from seasons.queries.access import Viewer as SeasonViewer
from seasons.queries.access import viewer_of
from seasons.services.bringing import place_of
from seasons.web.page import SeasonPage, open_season_page
from talk.models import Message
from talk.queries import rights
from talk.queries.channels import LISTED, ChannelView, NoSuchChannel, channel_at, channels_of, has_more
from talk.queries.home import Home
from talk.queries.match_home import MatchHome
from talk.queries.season_home import SeasonHome
from talk.queries.unread import (
    Unread,
    news_in,
    reported_in_seasons,
    takes_part,
    unanswered,
    unread_for,
    unread_in,
    unread_in_words,
    unread_mentions,
    waiting_reports,
)


def needs_in(user: Any, matches: Sequence[Match]) -> Mapping[int, Sequence[Need]]:
    """Return the reports that wait for a host and the messages that they have not read, by match; a few queries."""
    addresses = {match.pk: reverse("talk:talk", args=[match.public_id]) for match in matches}
    found: dict[int, list[Need]] = defaultdict(list)
    reported = Message.objects.filter(match__in=addresses, reports__isnull=False, reports__settled_at=None)
    reported = reported.filter(match__insiders__user=user).order_by()
    counts: dict[int, int] = dict(reported.values_list("match").annotate(count=Count("pk", distinct=True)))
    for pk, count in counts.items():
        found[pk].append(Need(f"{counted(count, 'reported message')}", addresses[pk]))
    _add_unread(found, addresses, unread_for(user) if addresses else (), Match)
    return found


def needs_in_seasons(user: Any, seasons: Sequence[Season]) -> Mapping[int, Sequence[Need]]:
    """Like `needs_in` for seasons and their members; for hosts also the questions that nobody has answered."""
    addresses = {season.pk: reverse("season_talk:talk", args=[season.public_id]) for season in seasons}
    found: dict[int, list[Need]] = defaultdict(list)
    for pk, count in unanswered(user, seasons).items():
        found[pk].append(Need(counted(count, "unanswered question"), addresses[pk]))
    for pk, count in reported_in_seasons(user, seasons).items():
        found[pk].append(Need(counted(count, "reported message"), addresses[pk]))
    _add_unread(found, addresses, unread_for(user), Season)
    return found


def _add_unread(
    found: dict[int, list[Need]], addresses: Mapping[int, str], channels: Iterable[Unread], of: type[Match | Season]
) -> None:
    """Add the number of unread messages of each match or season."""
    unread = Counter[int]()
    for channel in channels:
        if isinstance(channel.home, of):
            unread[channel.home.pk] += channel.messages
    for pk in unread.keys() & addresses.keys():
        found[pk].append(Need(f"{counted(unread[pk], 'unread message')} in talk", addresses[pk], "unread"))


# -- unread messages in the list of a player's matches ---------------------------------------------------


def lines_in(user: Any, matches: Sequence[Match]) -> Mapping[int, Sequence[Line]]:
    """Return one line for each match with unread messages; two queries."""
    unread, channels = Counter[int](), Counter[int]()
    first: dict[int, str] = {}
    for channel in unread_for(user):
        if isinstance(channel.home, Match):
            unread[channel.home.pk] += channel.messages
            channels[channel.home.pk] += 1
            first[channel.home.pk] = channel.url
    named = Counter(mention.home for mention in unread_mentions(user)) if unread else Counter[Match | Season]()
    return {
        match.pk: [Line(unread_in_words(unread[match.pk], named[match]), _address(match, channels, first))]
        for match in matches
        if unread[match.pk]
    }


def _address(match: Match, channels: Counter[int], first: Mapping[int, str]) -> str:
    """The path of the channel if just one has unread messages, else of all talk."""
    return first[match.pk] if channels[match.pk] == 1 else reverse("talk:talk", args=[match.public_id])


# -- the tab of talk on the pages of a match and of a season ---------------------------------------------


def additions_of(viewer: Viewer) -> tuple[Addition, ...]:
    """Return the tab with this viewer's number of unread messages; nothing for those who can read nothing there."""
    home = MatchHome(viewer)
    if not _may_come_in(home):
        return ()
    asks = home.address("unread") if takes_part(home) else ""
    latest = home.address("latest", rights.PUBLIC) if home.chosen.public else ""
    unread = unread_in(home)
    news = news_in(home) if unread else ""
    return (Tab("talk", "Talk", home.address("talk"), unread, news, asks, latest, holds=("hosts",)),)


def _may_come_in(home: MatchHome) -> bool:
    """Whether there is anything for this viewer to read or choose."""
    return home.handle != "" or home.viewer.sees or home.chosen.public or home.watches is not None


def tabs_of(viewer: SeasonViewer) -> tuple[Tab, ...]:
    """Return the tab of a season's talk, which everybody gets: its pages say who may read and write."""
    home = SeasonHome(viewer)
    asks = home.address("unread") if takes_part(home) else ""
    return (Tab("season_talk", "Talk", home.address("talk"), unread_in(home), unread_href=asks),)


# -- pages of talk: the match or season, its viewer, and the channels that this viewer may read ----------


class Addresses:
    """The paths of talk's pages in a match or season, for `{% at %}`."""

    do_not_call_in_templates = True

    def __init__(self, home: Home) -> None:
        self._home = home

    def __call__(self, name: str, *args: str) -> str:
        return self._home.address(name, *args)


class TalkPage(ABC):
    """A page of talk in a match or season, for one viewer."""

    tab: str
    frame: str

    def __init__(self, home: Home, page: MatchPage | SeasonPage) -> None:
        self.home, self.page = home, page

    @cached_property
    def channels(self) -> list[ChannelView]:
        return channels_of(self.home, None if self.home.of == "match" else LISTED)

    def channel(self, address: str) -> ChannelView:
        """Return the channel with that address. Raises `Http404`."""
        try:
            return channel_at(self.home, address)
        except NoSuchChannel:
            raise Http404("no such channel") from None

    @property
    @abstractmethod
    def shown(self) -> Mapping[str, Any]:
        """The context that templates need to show people and messages."""

    def context(self) -> dict[str, Any]:
        """Return the context that all of talk's templates need."""
        home = self.home
        return {
            **self.shown,
            "at": Addresses(home),
            "of": home.of,
            "home_title": home.title,
            "persons": home.person_field,
            "is_host": home.is_host,
            "may_release": not home.closes_at,
            "reads_on": bool(home.legible),
        }

    def beside(self) -> dict[str, Any]:
        """Return the context of the list of rooms that only matches or only seasons need."""
        return {}

    def render(self, request: HttpRequest, template: str, *, status: int = 200, **more: Any) -> HttpResponse:
        """Render a template in the frame of the match's or season's pages."""
        home = self.home
        context = self.page.context(
            self.tab,
            **self.context(),
            frame=self.frame,
            talk_channels=self.channels,
            chosen=home.chosen,
            closes_at=home.closes_at,
            may_begin=not home.why_no_private[0],
            moderates=home.moderates,
            waiting=waiting_reports(home),
            **self.beside(),
            **more,
        )
        return render(request, template, context, status=status)


class MatchTalk(TalkPage):
    tab, frame = "talk", "talk/in_match.html"
    page: MatchPage

    @property
    def shown(self) -> Mapping[str, Any]:
        return {**self.page.shown.context(), "people": self.page.shown.people.linked}

    def beside(self) -> dict[str, Any]:
        """Add the rooms of the match's season, for those who take part in that."""
        found = place_of(self.page.match)
        if found is None or not found.season.is_public:
            return {}
        home = SeasonHome(viewer_of(found.season, self.home.user))
        if not takes_part(home):
            return {}
        return {"season_rooms": channels_of(home, LISTED), "season_at": Addresses(home), "season_title": home.title}


class SeasonTalk(TalkPage):
    tab, frame = "season_talk", "talk/in_season.html"
    page: SeasonPage
    home: SeasonHome

    @property
    def shown(self) -> Mapping[str, Any]:
        return {"season": self.page.season, "people": self.page.people}

    def beside(self) -> dict[str, Any]:
        return {
            "has_more": has_more(self.home, self.channels),
            "has_confessionals": self.home.shows_confessionals,
            "is_running": self.page.season.is_public and not self.page.season.is_over,
        }


Opener = Callable[[HttpRequest, str], TalkPage]


def open_talk(request: HttpRequest, public_id: str) -> TalkPage:
    """Open the talk of a match for this viewer. Raises `Http404`, also if there is nothing to read for them."""
    page = open_match_page(request, public_id)
    home = MatchHome(page.viewer)
    if not _may_come_in(home):
        raise Http404("nothing to read")
    return MatchTalk(home, page)


def open_season_talk(request: HttpRequest, public_id: str) -> TalkPage:
    """Open the talk of a season for this viewer. Raises `Http404`."""
    page = open_season_page(request, public_id)
    return SeasonTalk(SeasonHome(page.viewer), page)
