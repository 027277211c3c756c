"""What a result says when somebody passes it on: a text in which everything is hidden until it is clicked, for chats
that know such marks, and the same in plain words."""

from __future__ import annotations

from dataclasses import dataclass

from matches.pages.context import MatchContext
from matches.pages.previews import absolute, picture_path
from matches.pages.recaps import discord_pieces, result_lines
from matches.queries.matches import Position
from matches.queries.story import DatedStory


@dataclass(frozen=True, slots=True)
class Share:
    """`hidden`: with `||…||` around each line; `plain`: without; `url`: the whole address of the result; `picture`: the
    address of the picture on this site."""

    hidden: str
    plain: str
    url: str
    picture: str


def share_of(position: Position, shown: MatchContext, story: DatedStory, path: str) -> Share:
    """The texts of a result at `path`: who won, and the turning points. Everybody gets the same."""
    match = position.match
    head = f"{match.title} · {match.rules.title}"
    lines = [*result_lines(position, shown.people), *(f"{each.what}: {each.text}" for each in story.turning_points)]
    url = absolute(path)
    # More than one message would not be pasted.
    hidden = discord_pieces(head, lines, url)[0]
    return Share(hidden, "\n".join((head, *lines)), url, picture_path(match))
