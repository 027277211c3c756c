"""What all pages of a match share: its viewer and context, the page for a match that cannot be shown, and paging."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from matches.models import Match, clock
from matches.pages.context import MatchContext
from matches.pages.extensions import Additions, additions_for
from matches.pages.sharing import preview_of
from matches.queries import access
from matches.queries.access import NOT_SHOWN, MatchHidden, RulesNotHere, Viewer, access_match, is_legible
from matches.queries.announcements import hosts_of
from matches.queries.matches import Position
from matches.queries.paging import Page, UnknownPlace
from matches.services import deadlines
from matches.services.actions import Answer
from matches.web.spoilers import ResultHidden, is_hidden, tells_result


class MatchPage:
    """One viewer at one match, which was loaded with its players; all of its pages are made from this."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.match = viewer.match
        self.player = viewer.player
        self.now = clock.now()

    @cached_property
    def position(self) -> Position:
        """The match's position."""
        return Position(self.match)

    @cached_property
    def shown(self) -> MatchContext:
        """The template context of the match."""
        return MatchContext(self.position, self.now)

    def after(self, answer: Answer) -> MatchPage:
        """Return the page after the viewer's action. The other players are not loaded again."""
        access.give_again(answer.match, self.match, answer.player)
        return MatchPage(self.viewer._replace(match=answer.match, player=answer.player))

    def address(self, name: str = "match") -> str:
        """Return the path of one of the match's pages."""
        return reverse(f"matches:{name}", args=[self.match.public_id])

    def context(self, tab: str, **more: Any) -> dict[str, Any]:
        """Return the context that every page of a match needs, whatever its tab, extended by `more`."""
        me = self.shown.people.get(self.player.handle) if self.player else None
        added = additions_for(self.viewer)
        hosts = hosts_of(self.match)
        frame = {"me": me, "hosts": hosts, "hosting": self._hosting(hosts), "tab": tab, "added": added}
        if self.viewer.is_host and self.viewer.user.is_staff and self.match.is_over:
            frame["rematch"] = reverse("admin:matches_match_duplicate", args=[self.match.pk])
        own_tab = tab if tab == "result" else "match"
        preview = preview_of(self.position, self.shown, self.address(own_tab))
        shown = self.shown.context() | {"people": self.shown.people.linked}
        tabs = {"tabs": self._tabs(tab, added), "more_tabs": self._more(tab, added)}
        return shown | frame | tabs | {"preview": preview} | more

    def _hosting(self, hosts: tuple[str, ...]) -> str:
        """What the viewer may do besides watching, for the head of the page; empty for most people."""
        if not self.viewer.sees:
            return ""
        if not self.viewer.is_host:
            return "you observe this match"
        is_named = self.viewer.user.username in hosts
        return "you host this match" if is_named else "you may manage this match as an administrator"

    def _tabs(self, current: str, added: Additions) -> list[dict[str, Any]]:
        """The tabs of the main pages of a match and of those that other apps add."""
        names = [("match", "Board"), ("rules", "Rules"), ("history", "History")]
        if self.position.public is not None and self.position.public.has_result:
            names.append(("result", "Result"))
        own = [self._tab(name, text, current) for name, text in names]
        # Other apps' tabs, which show what is unread, follow the board: on a phone the last tabs are out of sight.
        return own[:1] + [tab.shown(current) for tab in added.tabs] + own[1:]

    def _more(self, current: str, added: Additions) -> list[dict[str, Any]]:
        """The tabs of its other pages. Until the log is public at the end, its page has what one can keep to verify
        it."""
        names = [("hosts", "What the hosts said")]
        if self.match.status == Match.Status.FINISHED:
            names.append(("replay", "Replay"))
        names.append(("log", "Verify"))
        elsewhere = {name for tab in added.tabs for name in tab.holds}
        return [self._tab(name, text, current) for name, text in names if name not in elsewhere]

    def _tab(self, name: str, text: str, current: str) -> dict[str, Any]:
        return {"href": self.address(name), "text": text, "current": name == current}


def open_match_page(request: HttpRequest, public_id: str) -> MatchPage:
    """Return the match as this viewer may see it, with its due deadlines applied. Raises `Http404` if there is no match
    that this viewer may see, and `ResultHidden` if the viewer must be asked before they see a result."""
    page = page_for(request.user, public_id)
    if hides(request, page):
        raise ResultHidden(public_id, page.match.title)
    return page


def hides(request: HttpRequest, page: MatchPage) -> bool:
    """Whether to ask this viewer before showing how the match ended. Its own people are never asked."""
    is_own = page.player is not None or page.viewer.sees
    return not is_own and tells_result(page.position.public) and is_hidden(request, page.match.public_id)


def page_for(user: Any, public_id: str) -> MatchPage:
    """Return the match as this user may see it, with its due deadlines applied; never ask. Raises `Http404`."""
    try:
        viewer = access.access_match(public_id, user, everybody=True)
        if deadlines.advance_if_due(viewer.match):
            viewer = access.access_match(public_id, user, everybody=True)
    except MatchHidden:
        raise Http404("no such match") from None
    return MatchPage(viewer)


# -- not shown -------------------------------------------------------------------------------------------
# If a match cannot be shown, each of its pages says why: this site does not have its rules, the rules fail with the
# stored state, or the viewer must be asked before they see a result.

_OF_ANOTHER_KIND = (Http404, PermissionDenied, SuspiciousOperation, DatabaseError)


class NotShownMiddleware:
    """Turns `ResultHidden`, raised by any page, into a page that asks; `RulesNotHere`, and any other error of a page of
    a match that cannot be shown, into one that says what is wrong."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, ResultHidden):
            hidden = {"id": error.id, "title": error.title, "what": error.what, "next": request.get_full_path()}
            return render(request, "matches/result_hidden.html", hidden)
        if isinstance(error, RulesNotHere):
            context = {"title": error.title, "problem": error.message, "comes_back": True}
            return render(request, "matches/not_shown.html", context, status=503)
        if isinstance(error, _OF_ANOTHER_KIND) or (viewer := _viewer(request)) is None or is_legible(viewer.match):
            return None
        context = {"title": viewer.match.title, "problem": NOT_SHOWN, "console": viewer.sees and viewer.match}
        return render(request, "matches/not_shown.html", context, status=503)


def _viewer(request: HttpRequest) -> Viewer | None:
    """The viewer and the match of a request; None on other pages and for people who may not see the match."""
    public_id = request.resolver_match.kwargs.get("public_id") if request.resolver_match else None
    if public_id is None:
        return None
    try:
        return access_match(public_id, request.user)
    except (MatchHidden, RulesNotHere):
        return None


# -- leafing ---------------------------------------------------------------------------------------------
# Paging through lists: each page begins after a row that the reader has seen.

T = TypeVar("T")


def leaf(request: HttpRequest, read: Callable[[str], Page[T]]) -> tuple[Page[T], dict[str, Any]]:
    """Return the page that begins after the row that `?after=` names, and the context of includes/older.html and
    includes/lost_place.html. If the list has no such row, return the first page with a note about that."""
    after = request.GET.get("after", "")
    try:
        page, is_lost = read(after), False
    except UnknownPlace:
        page, is_lost = read(""), True
    return page, {"older": page.last, "is_first": not after or is_lost, "is_lost": is_lost}
