"""What a link to a season shows in a chat (Open Graph): a title, what is going on, and its standings as a picture.

All of it is what everybody can read on the season's page, and does not depend on the clock or on who asks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.urls import reverse

from matches.infra.kept import Kept
from matches.pages import pictures
from matches.pages.context import People, Person
from matches.pages.headline import Headline
from matches.pages.pictures import Drawing
from matches.pages.previews import Preview, absolute
from seasons.engine.state import SeasonState
from seasons.models import Member, Season
from seasons.pages.headline import headline_of
from seasons.queries import standing
from seasons.queries.standing import CastLine

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


_drawings: Kept[tuple[str, str], Drawing] = Kept(512)


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
