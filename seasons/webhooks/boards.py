"""The board of a post to a webhook of a season."""

from __future__ import annotations

from dataclasses import replace

from matches.models import Match
from matches.pages.previews import absolute
from notices.match_webhooks.bodies import Board
from seasons.models import Season
from seasons.pages import pictures
from seasons.queries import standing

_TYPE = "season.news"


def board_of(season: Season, match: Match | None) -> Board:
    """The board of the match of which a post tells, or the standings where the season tells something itself. Reads the
    database."""
    of_season = {"id": season.public_id, "title": season.title, "url": absolute(season.get_absolute_url())}
    if match is not None:
        board = Board.of_match(match)
        return replace(board, kind=_TYPE, about={"season": of_season, **board.about})
    state = standing.state_of(season)
    scene = pictures.scene_of(season, state, standing.standings(season, state))
    return Board(
        kind=_TYPE,
        about={"season": of_season, "match": None},
        id=season.public_id,
        title=season.title,
        url=of_season["url"],
        picture=absolute(scene.picture_path),
        alt=scene.alt,
        headline=scene.headline.line,
        drawing=pictures.drawing_of(scene),
    )
