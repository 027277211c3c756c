"""What others see of a shared match: previews, recaps and links."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from matches.engine.sentences import asset_name, joined
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
#
# Addresses are made from the site's configured one: whoever asks can write any Host into a request.


@dataclass(frozen=True, slots=True)
class Preview:
    """All values of the tags; `image` and `url` are absolute."""

    title: str
    description: str
    url: str
    image: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


def preview_of(position: Position, shown: MatchContext, path: str) -> Preview | None:
    """The preview of a match's page at `path`; None for a draft, which nobody but its people can open."""
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
    """The address of a match's picture as it is now."""
    return f"{reverse('matches:picture', args=[match.public_id])}?v={match.public_version}"


def alt_of(match: Match, headline: Headline) -> str:
    """What the picture shows, for those who do not see it."""
    return f"The board of {match.title}, a match of {match.rules.title}. {headline.line}."


def absolute(path: str) -> str:
    """The whole address of a page of this site."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


# -- recaps ----------------------------------------------------------------------------------------------
# Recaps of a match to paste into a chat: one text for each round and for the result, from what everybody was told.
#
# As a chat of Discord takes it, every line is hidden behind `||…||` until somebody clicks it, and no name can be read
# as markup. Messages there have 2,000 characters at most, so a long part comes in pieces.

MOST_LINES = 600
_MOST_OF_A_MESSAGE = 2000


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a match: its pieces for Discord, and in plain words. `id` is its place on the page."""

    id: str
    title: str
    discord: tuple[str, ...]
    plain: str


BEGINNING = "The beginning"
"""What is before the first round."""

Part = tuple[str, list[ToldLine]]
"""The title of a part of a match, and its lines."""


def recap_of(position: Position, shown: MatchContext) -> tuple[Chapter, ...]:
    """The parts of a match, latest first; of a very long one those that the latest lines hold whole."""
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
    """What everybody was told, the first part first: each has a title and its lines, oldest first, without what its
    title says already. Of a very long match those parts that the latest lines hold whole."""
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
    return parts[1:] if len(told) == MOST_LINES else parts  # else the beginning of the first is missing


def _title(sentence: str) -> str:
    """The beginning of a sentence: “Round 2 is open: 3, 5 and 7.” is called “Round 2”."""
    return re.split(r"[:.;,]", sentence, maxsplit=1)[0].strip().removesuffix(" is open")


def result_lines(position: Position, people: People) -> list[str]:
    """What everybody may know of the result so far; empty before the play is over."""
    view, outcome = position.public, position.outcome
    if view is None or not view.has_result:
        return []

    def named(handles: Iterable[str]) -> str:
        return joined([set_apart(people.name(handle)) for handle in handles])

    found = [f"Winner: {named(view.winners)}." if view.winners else "Nobody wins."]
    if view.candidates:
        found.append(f"Elimination Candidate: {named(view.candidates)}.")
    if outcome is not None and outcome.tokens_of_life:
        held = (f"{named([who])} {asset_name('tol', count)}" for who, count in outcome.tokens_of_life.items())
        found.append(f"They hold: {', '.join(held)}.")
    return found


# -- as texts ------------------------------------------------------------------------------------


def _chapter(id: str, match: str, title: str, lines: Sequence[str], link: str) -> Chapter:
    head = f"{match} · {title}"
    return Chapter(
        id, title, discord_pieces(head, lines, link), "\n".join((_one_line(head), *map(_one_line, lines), link))
    )


def discord_pieces(head: str, lines: Iterable[str], link: str = "") -> tuple[str, ...]:
    """The same as messages for Discord, each line hidden until it is clicked. The link shows no preview, which would
    give the board away."""
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
# What a result says when somebody passes it on: a text in which everything is hidden until it is clicked, for chats
# that know such marks, and the same in plain words.


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
