"""What every page of a match starts with: the viewer, the match, and bringing it up to date."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse

from matches.engine.core import DECISION, FINISHED
from matches.models import clock
from matches.pages.context import MatchContext
from matches.pages.rendering import position_of
from matches.queries import access, looking
from matches.queries.access import MatchHidden, Viewer
from matches.services import deadlines
from matches.services.actions import Answer


class MatchPage:
    """One viewer at one match: all of its pages are made from this."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.match = viewer.match
        self.player = viewer.player
        self.now = clock.now()
        self.position = position_of(viewer.match)
        self.shown = MatchContext(self.position, self.now)

    def after(self, answer: Answer) -> MatchPage:
        """The same viewer after an action; the others are as they were."""
        looking.give_again(answer.match, self.match, answer.player)
        return MatchPage(self.viewer._replace(match=answer.match, player=answer.player))

    def address(self, name: str = "match") -> str:
        """The address of one of the match's pages."""
        return reverse(f"matches:{name}", args=[self.match.public_id])

    def context(self, tab: str, **more: Any) -> dict[str, Any]:
        """What the frame of a match's page needs, on any tab."""
        me = self.shown.people.get(self.player.handle) if self.player else None
        frame = {"me": me, "hosting": self._hosting(), "tab": tab, "tabs": self._tabs(tab)}
        return self.shown.context() | frame | more

    def _hosting(self) -> str:
        """What the viewer may do besides looking on, in words for the head of the page; empty for most people."""
        if not self.viewer.is_host:
            return ""
        is_named = self.match.hosts.filter(pk=self.viewer.user.pk).exists()
        return "you host this match" if is_named else "you may manage this match as an administrator"

    def _tabs(self, current: str) -> list[dict[str, Any]]:
        """The pages of a match. The log is public after the end; until then its page has the player's own receipts."""
        names = [("match", "Board"), ("rules", "Rules"), ("history", "History")]
        phase = self.position.public.phase if self.position.public else ""
        if phase in (DECISION, FINISHED):
            names.append(("result", "Result"))
        if self.match.is_over:
            names.append(("log", "Log"))
        elif self.player is not None and phase:
            names.append(("log", "Receipts"))
        return [{"href": self.address(name), "text": text, "current": name == current} for name, text in names]


def open_match_page(request: HttpRequest, public_id: str) -> MatchPage:
    """The match as this viewer may see it, brought up to now. Raises `Http404`, both if it does not exist and if the
    viewer may not see it."""
    try:
        viewer = access.access_match(public_id, request.user, everybody=True)
        if deadlines.advance_if_due(viewer.match):
            viewer = access.access_match(public_id, request.user, everybody=True)
    except MatchHidden:
        raise Http404("no such match") from None
    return MatchPage(viewer)
