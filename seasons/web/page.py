"""What every page of a season starts with: the viewer, and bringing the season up to date."""

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse

from matches.models import clock
from matches.pages.sharing import Preview
from matches.web.spoilers import ResultHidden, is_hidden
from seasons.queries import standing
from seasons.queries.access import SeasonHidden, Viewer, access_season
from seasons.queries.export import may_read_ledger
from seasons.services.running import advance_if_due
from seasons.web.extensions import of_seasons
from seasons.web.previews import headline_of, preview_of


class SeasonPage:
    """One viewer at one season."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer, self.season = viewer, viewer.season
        self.state = standing.state_of(self.season)
        self.cast = standing.standings(self.season, self.state)
        self.names = {line.handle: line.name for line in self.cast}
        self.people = {line.handle: line for line in self.cast}

    @property
    def me(self) -> str:
        """The viewer's handle, empty for those who are not in the cast."""
        return self.viewer.member.handle if self.viewer.member else ""

    def context(self, tab: str, **more: Any) -> dict[str, Any]:
        """What the frame of a season's page needs, on any tab."""
        season = self.season
        tabs = [("season", "Season"), ("cast", "Cast")]
        if self.me and self.state:
            tabs.append(("statement", "My account"))
        tabs.append(("rules", "Rules"))
        if self.state:
            tabs += [("story", "Story"), ("predictions", "Predictions")]
        own = [
            {"href": reverse(f"seasons:{name}", args=[season.public_id]), "text": text, "current": name == tab}
            for name, text in tabs
        ]
        return {
            "season": season,
            "viewer": self.viewer,
            "me": self.me,
            "people": self.people,
            "hosts": standing.hosts_of(season),
            "tabs": own[:1] + [each.shown(tab) for some in of_seasons.ask(self.viewer) for each in some] + own[1:],
            "now": clock.now(),
            "reads_all": self.state is not None and may_read_ledger(self.viewer, ""),
            "preview": self._preview(tab),
            **more,
        }

    def _preview(self, tab: str) -> Preview | None:
        """What a link to this page shows elsewhere; nothing of a draft. Somebody's own account shows the season's."""
        if not self.season.is_public:
            return None
        own_tab = tab if tab in ("cast", "rules", "story", "predictions") else "season"
        path = reverse(f"seasons:{own_tab}", args=[self.season.public_id])
        return preview_of(self.season, headline_of(self.season, self.state, self.cast), path)

    def news(self, most: int) -> list[standing.NewsLine]:
        """What this viewer was told, the latest first."""
        found = standing.news_for(self.season, self.viewer.audiences(), self.names, most)
        # What asks a member to accept a viewer is none of the viewer's.
        return [line for line in found if not (self.viewer.watches and line.kind == "viewer_named")]


def open_season_page(request: HttpRequest, public_id: str) -> SeasonPage:
    """The season as this viewer may see it, brought up to now. Raises `Http404`, both if it does not exist and if the
    viewer may not see it, and `ResultHidden` for those who want to be asked before they see how its matches ended."""
    try:
        viewer = access_season(public_id, request.user)
    except SeasonHidden:
        raise Http404("no such season") from None
    advance_if_due(viewer.season)
    if hides(request, viewer):
        raise ResultHidden(public_id, viewer.season.title, "season")
    return SeasonPage(viewer)


def hides(request: HttpRequest, viewer: Viewer) -> bool:
    """Whether this viewer is to be asked before they see how its matches ended. Its own people never are."""
    is_own = viewer.member is not None or viewer.sees
    return not is_own and is_hidden(request, viewer.season.public_id) and standing.has_results(viewer.season)
