"""What a link to a page of a match shows in a chat (Open Graph): a title, what is going on, and the picture.

Addresses are made from the site's configured one: whoever asks can write any Host into a request.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from matches.models import Match
from matches.pages.context import MatchContext
from matches.pages.headline import Headline, headline_of
from matches.pages.pictures import HEIGHT, WIDTH
from matches.queries.matches import Position


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
