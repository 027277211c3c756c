"""The base of every page of a season, and the previews of links to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest
from django.templatetags.static import static
from django.urls import reverse

from matches.engine.sentences import counted, joined
from matches.models import Match, clock
from matches.pages.context import Headline
from matches.pages.sharing import Preview, absolute
from matches.pages.texts import moment_in_words
from matches.web.spoilers import ResultHidden, is_hidden
from seasons.engine.state import DEATH_MATCH, ENDED, OPPONENT, SeasonState
from seasons.models import Season
from seasons.queries import standing
from seasons.queries.access import SeasonHidden, Viewer, access_season
from seasons.queries.export import may_read_ledger
from seasons.queries.news import NewsLine, news_for
from seasons.queries.standing import CastLine, MatchLine, Now
from seasons.services.running import advance_if_due
from seasons.web.extensions import of_seasons


class SeasonPage:
    """A page of a season, for one viewer."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer, self.season = viewer, viewer.season
        self.state = self.season.decoded()
        self.cast = standing.standings(self.season, self.state)
        self.names = {line.handle: line.name for line in self.cast}
        self.people = {line.handle: line for line in self.cast}

    @property
    def winners(self) -> list[str]:
        """The handles of those in first place."""
        return [line.handle for line in self.cast if line.place == 1]

    @property
    def me(self) -> str:
        """The viewer's handle, empty for those who are not in the cast."""
        return self.viewer.member.handle if self.viewer.member else ""

    def context(self, tab: str, **more: Any) -> dict[str, Any]:
        """Return the context of the frame of a season's pages."""
        season = self.season
        tabs = [("season", "Season"), ("cast", "Cast")]
        if self.me and self.state:
            tabs.append(("statement", "My balances"))
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
        """The preview of a link to this page; none for a draft. A page of a member's account shows the season's."""
        if not self.season.is_public:
            return None
        own_tab = tab if tab in ("cast", "rules", "story", "predictions") else "season"
        path = reverse(f"seasons:{own_tab}", args=[self.season.public_id])
        return preview_of(self.season, headline_of(self.season, self.state, self.cast), path)

    def news(self, most: int) -> list[NewsLine]:
        """Return the news for this viewer, the latest first."""
        return news_for(self.viewer, self.names, most)


def open_season_page(request: HttpRequest, public_id: str) -> SeasonPage:
    """Open a page of a season for this viewer, after passing what is due. Raises `Http404` if they may not see it, and
    `ResultHidden` if they want to be asked before they see results."""
    try:
        viewer = access_season(public_id, request.user)
    except SeasonHidden:
        raise Http404("no such season") from None
    advance_if_due(viewer.season)
    if hides(request, viewer):
        raise ResultHidden(public_id, viewer.season.title, "season")
    return SeasonPage(viewer)


def hides(request: HttpRequest, viewer: Viewer) -> bool:
    """Whether this viewer is asked before they see how its matches ended. Its own people never are."""
    is_own = viewer.member is not None or viewer.sees
    return not is_own and is_hidden(request, viewer.season.public_id) and standing.has_results(viewer.season)


# -- previews: what a link to a season shows in a chat. All times are absolute -----------------------------


PICTURE_ALT = "This site's logo."


def headline_of(season: Season, state: SeasonState | None, cast: Sequence[CastLine]) -> Headline:
    """Return the headline of a season, from public facts. `cast`: its `standings`."""
    going = standing.going_on(season, state)
    names = {line.handle: line.name for line in cast}
    still_in = sum(line.status == "in" for line in cast)
    left = f"{still_in} of {counted(len(cast), 'member')} still in"
    if going.phase == "draft":
        return Headline("Upcoming", (counted(len(cast), "member"),))
    if going.phase == ENDED:
        ended = (moment_in_words(season.ended_at),) if season.ended_at else ()
        first = [line.name for line in cast if line.place == 1]
        won = f"{joined(first)} {'wins' if len(first) == 1 else 'share first place'}" if first else "nobody wins"
        return Headline("Ended", (won, *ended, counted(len(cast), "member")), winners=won)
    where, *details = _between_matches(going, names) or _played(standing.schedule(season))
    return Headline(where, (*details, left))


def _between_matches(going: Now, names: Mapping[str, str]) -> list[str]:
    """What has to follow from a match that is over; empty if nothing."""

    def named(handles: Sequence[str]) -> str:
        return joined([names.get(handle, handle) for handle in handles])

    if going.phase == OPPONENT:
        closes = [f"opponent due by {moment_in_words(going.closes)}"] if going.closes else []
        return [f"{named(going.candidates)} in danger", *closes]
    if going.phase == DEATH_MATCH:
        return ["Death Match", f"between {named(going.between)}"]
    return ["A match is over", "a host has yet to confirm its settlement"] if going.phase == "confirm" else []


def _played(matches: Sequence[MatchLine]) -> list[str]:
    """The running matches, or else the next one."""
    playing = [line for line in matches if line.status in Match.RUNNING]
    if playing:
        more = [f"and {len(playing) - 1} more being played"] if playing[1:] else []
        return [f"Match {playing[0].number}", playing[0].title, *more]
    coming = [line for line in matches if line.status == Match.Status.SCHEDULED]
    if not coming:
        return ["Between matches"]
    begins = [f"begins {moment_in_words(coming[0].starts_at)}"] if coming[0].starts_at else []
    return [f"Match {coming[0].number}", coming[0].title, *begins]


# -- pictures and texts of previews --------------------------------------------------------------------------

_PICTURE, _PICTURE_SIDE = "img/icon-512.png", 512


def picture_url() -> str:
    """Return the URL of the site's logo, shown beside links to seasons."""
    return absolute(static(_PICTURE))


def preview_of(season: Season, headline: Headline, path: str) -> Preview:
    """Return the preview of a page of a public season at `path`."""
    return Preview(
        title=f"{season.title} · {headline.short}",
        description=f"Season: {headline.line}",
        url=absolute(path),
        image=picture_url(),
        alt=PICTURE_ALT,
        width=_PICTURE_SIDE,
        height=_PICTURE_SIDE,
    )
