"""What a link to a season shows in a chat: a title, what is going on, and its standings as a picture.

All moments are absolute."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.urls import reverse

from matches.engine.sentences import counted, joined
from matches.infra.local_cache import LocalCache
from matches.models import Match
from matches.pages import pictures
from matches.pages.context import Headline, People, Person
from matches.pages.pictures import Drawing
from matches.pages.sharing import Preview, absolute
from matches.pages.texts import moment_in_words
from seasons.engine.state import DEATH_MATCH, ENDED, OPPONENT, SeasonState
from seasons.models import Member, Season
from seasons.queries import standing
from seasons.queries.standing import CastLine, MatchLine, Now

_PLAYED = (Match.Status.OPEN, Match.Status.PAUSED)


def headline_of(season: Season, cast: Sequence[CastLine], matches: Sequence[MatchLine], going: Now) -> Headline:
    """The line for a season, from what everybody may see of it."""
    names = {line.handle: line.name for line in cast}
    still_in = sum(line.status == "in" for line in cast)
    left = f"{still_in} of {counted(len(cast), 'member')} still in"
    if going.phase == "draft":
        return Headline("Upcoming", (counted(len(cast), "member"),))
    if going.phase == ENDED:
        ended = (moment_in_words(season.ended_at),) if season.ended_at else ()
        won = _winners(cast)
        return Headline("Ended", (won, *ended, counted(len(cast), "member")), winners=won)
    where, *details = _between_matches(going, names) or _played(matches)
    return Headline(where, (*details, left))


def _winners(cast: Sequence[CastLine]) -> str:
    won = [line.name for line in cast if line.place == 1]
    return f"{joined(won)} {'wins' if len(won) == 1 else 'share first place'}" if won else "nobody wins"


def _between_matches(going: Now, names: Mapping[str, str]) -> list[str]:
    """What follows from a match that is over; empty if nothing is to be done."""

    def named(handles: Sequence[str]) -> str:
        return joined([names.get(handle, handle) for handle in handles])

    if going.phase == OPPONENT:
        closes = [f"opponent to be named by {moment_in_words(going.closes)}"] if going.closes else []
        return [f"{named(going.candidates)} in danger", *closes]
    if going.phase == DEATH_MATCH:
        return ["Death Match", f"between {named(going.between)}"]
    return ["A match is over", "a host has yet to confirm its settlement"] if going.phase == "confirm" else []


def _played(matches: Sequence[MatchLine]) -> list[str]:
    """The matches that are being played, else the one that comes next."""
    playing = [line for line in matches if line.status in _PLAYED]
    if playing:
        more = [f"and {len(playing) - 1} more being played"] if playing[1:] else []
        return [f"Match {playing[0].number}", playing[0].title, *more]
    coming = [line for line in matches if line.status == Match.Status.SCHEDULED]
    if not coming:
        return ["Between matches"]
    begins = [f"begins {moment_in_words(coming[0].starts_at)}"] if coming[0].starts_at else []
    return [f"Match {coming[0].number}", coming[0].title, *begins]


# -- pictures ------------------------------------------------------------------------------------------------
# What a link to a season shows in a chat (Open Graph): a title, what is going on, and its standings as a picture.
#
# All of it is what everybody can read on the season's page, and does not depend on the clock or on who asks.

MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class _Line:
    """A member in the picture. `ended`: in words, for those who are not in any more."""

    handle: str
    name: str
    mark: int
    garnets: int | str
    has_won: bool
    ended: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What everybody may know of a season by now, as a picture shows it. `version` changes whenever it does."""

    public_id: str
    title: str
    headline: Headline
    lines: tuple[_Line, ...]

    @property
    def version(self) -> str:
        """Names this scene, and tells nothing of what it does not show."""
        return hashlib.sha256(repr((self.title, self.headline, self.lines)).encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def picture_path(self) -> str:
        """The address of the picture as it is now."""
        return f"{reverse('seasons:picture', args=[self.public_id])}?v={self.version}"

    @property
    def alt(self) -> str:
        """What the picture shows, for those who do not see it."""
        return f"The standings of the season {self.title}. {self.headline.line}."


def scene_of(season: Season, state: SeasonState | None, cast: Sequence[CastLine]) -> Scene:
    """A season as it stands. `cast`: its `standings`."""
    headline = headline_of(season, cast, standing.schedule(season), standing.going_on(season, state))
    return Scene(season.public_id, season.title, headline, tuple(map(_line, cast)))


def preview_of(scene: Scene, path: str) -> Preview:
    """The preview of a page of a public season at `path`."""
    return Preview(
        title=f"{scene.title} · {scene.headline.short}",
        description=f"Season: {scene.headline.line}",
        url=absolute(path),
        image=absolute(scene.picture_path),
        alt=scene.alt,
    )


_drawings: LocalCache[tuple[str, str], Drawing] = LocalCache(512)


def drawing_of(scene: Scene) -> Drawing:
    """The picture of a season, in SVG."""
    key = (scene.public_id, scene.version)
    known = _drawings.get(key)
    if known is None:
        known = pictures.drawing_from(render_to_string("seasons/picture.svg", _context(scene)))
        _drawings.keep(key, known)
    return known


def _context(scene: Scene) -> dict[str, object]:
    people = (Person(line.handle, line.name, line.mark, "", False, False) for line in scene.lines)
    left_out = len(scene.lines) - MOST_SHOWN
    return {
        "season": {"title": scene.title},
        "headline": scene.headline,
        "people": People(people),
        "lines": scene.lines,
        "most": MOST_SHOWN,
        "left_out": f"and {left_out} more" if left_out > 0 else "",
    }


def _line(line: CastLine) -> _Line:
    ended = {Member.Status.OUT: f"out, place {line.place}", Member.Status.WITHDRAWN: "withdrawn"}
    return _Line(
        handle=line.handle,
        name=line.name,
        mark=line.mark,
        garnets=line.account["garnet"],
        has_won=line.place == 1,
        ended=ended.get(Member.Status(line.status), ""),
    )
