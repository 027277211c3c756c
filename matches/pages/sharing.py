"""What others see of a match that somebody shares: previews of links, recaps, and results."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from matches.engine.sentences import joined
from matches.infra.text import for_discord
from matches.models import Match
from matches.pages.context import Headline, MatchContext, People, headline_of
from matches.pages.pictures import HEIGHT, WIDTH
from matches.pages.texts import moment_in_words
from matches.queries import feed
from matches.queries.feed import ToldLine
from matches.queries.matches import Position
from matches.queries.names import set_apart
from matches.queries.story import DatedStory

# -- previews --------------------------------------------------------------------------------------------
# What a link to a page of a match shows in a chat (Open Graph): a title, what is going on, and the picture.
# URLs are made from the configured address of the site, because a request can carry any Host header.


@dataclass(frozen=True, slots=True)
class Preview:
    """The values of all Open Graph tags; `image` and `url` are absolute."""

    title: str
    description: str
    url: str
    image: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


def preview_of(position: Position, shown: MatchContext, path: str) -> Preview | None:
    """Return the preview of a match's page at `path`; None for a draft, which only its own people can open."""
    match = position.match
    if not match.is_public:
        return None
    headline = headline_of(position, shown.people)
    return Preview(
        title=f"{match.title} · {headline.short}",
        description=f"{match.rules.title}: {headline.line}",
        url=absolute(path),
        image=absolute(picture_path(match)),
        alt=alt_of(match, headline),
    )


def picture_path(match: Match) -> str:
    """Return the path of a match's picture as it is now."""
    return f"{reverse('matches:picture', args=[match.public_id])}?v={match.public_version}"


def alt_of(match: Match, headline: Headline) -> str:
    """Return the alternative text of a match's picture."""
    return f"The board of {match.title}, a match of {match.rules.title}. {headline.line}."


def absolute(path: str) -> str:
    """Return the absolute URL of a page of this site."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


# -- recaps ----------------------------------------------------------------------------------------------
# Recaps of a match to paste into a chat: one text for each round and one for the result, from public news alone.
# In the form for Discord, every line is hidden behind `||…||` until somebody clicks it, and no name can be read as
# markup. Messages there have 2,000 characters at most, so a long part is split into several.

MOST_LINES = 600
_MOST_OF_A_MESSAGE = 2000


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a match as texts: messages for Discord, and plain text. `id` is its anchor on the page."""

    id: str
    title: str
    discord: tuple[str, ...]
    plain: str


BEGINNING = "The beginning"
"""The title of what happened before the first round."""

Part = tuple[str, list[ToldLine]]
"""The title of a part of a match, and its lines."""


def recap_of(position: Position, shown: MatchContext) -> tuple[Chapter, ...]:
    """Return a recap of each part of a match, latest first. Of a very long match, only the parts that are complete
    within the latest `MOST_LINES` lines."""
    match = position.match
    parts = told_in_parts(match)
    link = absolute(match.get_absolute_url())
    chapters = [
        _chapter(f"part-{number}", match.title, title, [line.text for line in part], link)
        for number, (title, part) in enumerate(parts, 1)
        if part
    ]
    if result := result_lines(position, shown.people):
        chapters.append(_chapter("result", match.title, "The result", result, link))
    return tuple(reversed(chapters))


def told_in_parts(match: Match) -> list[Part]:
    """Return the public news by part, oldest first, without lines that only repeat a part's title. Of a very long
    match, only the parts that are complete within the latest `MOST_LINES` lines."""
    told = feed.announcements_for(match, None, MOST_LINES)
    names = feed.names_in(match)
    rules = match.rules
    parts: list[Part] = [(BEGINNING, [])]
    for line in reversed(feed.lines_of(match, told, names)):
        title = _title(line.text) if rules.begins_chapter(line.kind) else ""
        if title:
            parts.append((f"{title} ({moment_in_words(line.at)})", []))
        if line.kind not in rules.recap_without and line.text != f"{title} is open.":
            parts[-1][1].append(line)
    return parts[1:] if len(told) == MOST_LINES else parts  # the first one may be incomplete


def _title(sentence: str) -> str:
    """A sentence's beginning as a title: of “Round 2 is open: 3, 5 and 7.”, “Round 2”."""
    return re.split(r"[:.;,]", sentence, maxsplit=1)[0].strip().removesuffix(" is open")


def result_lines(position: Position, people: People) -> list[str]:
    """Return what is public about the result; empty before the play is over."""
    view, outcome = position.public, position.outcome
    if view is None or not view.has_result:
        return []

    def named(handles: Iterable[str]) -> str:
        return joined([set_apart(people.name(handle)) for handle in handles])

    found = [f"Winner: {named(view.winners)}." if view.winners else "Nobody wins."]
    if view.candidates:
        found.append(f"Elimination Candidate{'s' if len(view.candidates) > 1 else ''}: {named(view.candidates)}.")
    if outcome is not None and outcome.tokens_of_life:
        held = (f"{named([who])} {count}" for who, count in outcome.tokens_of_life.items())
        found.append(f"Tokens of Life: {', '.join(held)}.")
    return found


# -- as texts ------------------------------------------------------------------------------------


def _chapter(id: str, match: str, title: str, lines: Sequence[str], link: str) -> Chapter:
    head = f"{match} · {title}"
    return Chapter(
        id, title, discord_pieces(head, lines, link), "\n".join((_one_line(head), *map(_one_line, lines), link))
    )


def discord_pieces(head: str, lines: Iterable[str], link: str = "") -> tuple[str, ...]:
    """Return lines as messages for Discord, each line hidden until it is clicked. The link shows no preview, which
    would give the board away."""
    bold = f"**{for_discord(head)[:400]}**"
    tail = f"\n<{link}>" if link else ""
    pieces, piece = [], bold
    for line in lines:
        hidden = f"\n||{for_discord(line)}||"
        if len(piece) + len(hidden) + len(tail) > _MOST_OF_A_MESSAGE:
            pieces.append(piece)
            piece = bold
        piece += hidden
    return (*pieces, piece + tail)


def _one_line(text: str) -> str:
    return " ".join(text.split())


# -- sharing ---------------------------------------------------------------------------------------------
# The text of a result to share: with marks that hide every line in a chat until it is clicked, and as plain text.


@dataclass(frozen=True, slots=True)
class Share:
    """`hidden`: with `||…||` around each line; `plain`: without; `url`: the absolute URL of the result; `picture`: the
    path of the picture."""

    hidden: str
    plain: str
    url: str
    picture: str


def share_of(position: Position, shown: MatchContext, story: DatedStory, path: str) -> Share:
    """Return the texts of a result whose page is at `path`, the same for everybody: who won, and the turning points."""
    match = position.match
    head = f"{match.title} · {match.rules.title}"
    lines = [*result_lines(position, shown.people), *(f"{each.what}: {each.text}" for each in story.turning_points)]
    url = absolute(path)
    # Only the first message: nobody would paste several.
    hidden = discord_pieces(head, lines, url)[0]
    return Share(hidden, "\n".join((head, *lines)), url, picture_path(match))
