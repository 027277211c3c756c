"""What other apps add to the pages of a match: tabs, links and panels, each made for one viewer.

An app registers a function in its `AppConfig.ready`; matches/ knows none of them by name. An addition holds texts and
addresses only, and nothing that its viewer may not know: it is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import structlog
from django.utils.safestring import SafeString

from matches.models import Match
from matches.queries.access import Viewer

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a match that another app serves. `name` is what that page gives as its own tab (`MatchPage.context`);
    `unread`: how many things on it this viewer has not seen yet; `unread_href`: where a page that stays open asks for
    that number (JSON, `{"unread": 3}`) when it hears a hint of `name`."""

    name: str
    text: str
    href: str
    unread: int = 0
    unread_href: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link below the match page's feed. With a `media_type` it is also named in the head of every page of the match,
    where browsers and feed readers find it."""

    text: str
    href: str
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel on the match page, below the board. `html` is its body; one with forms, which need the page's token,
    names a `template` instead, which gets `own`."""

    id: str
    title: str
    html: SafeString | str = ""
    template: str = ""
    own: Mapping[str, object] = field(default_factory=dict)


Addition = Tab | Link | Panel


@dataclass(frozen=True, slots=True)
class Additions:
    """Everything that is added for one viewer, each kind in the order in which the apps were registered."""

    tabs: tuple[Tab, ...] = ()
    links: tuple[Link, ...] = ()
    panels: tuple[Panel, ...] = ()


@dataclass(frozen=True, slots=True)
class GiftWords:
    """What an app does about the words that players give with their Tokens of Life.

    `offered`: whether a match has such words; it never changes once the match has begun. `take`: keeps what a player
    wants to say, before the gift is made, and raises `Refused`. `announced`: the words of gifts that were announced, by
    giver; before that nobody may know them.
    """

    offered: Callable[[Match], bool]
    take: Callable[[Viewer, str], None]
    announced: Callable[[Match], Mapping[str, str]]


_gift_words: list[GiftWords] = []


def offer_gift_words(words: GiftWords) -> None:
    """From now on players can say something with their gifts."""
    _gift_words[:] = [words]


def gift_words_offered(match: Match) -> bool:
    """Whether players of this match can say something with their gifts."""
    return any(each.offered(match) for each in _gift_words)


def take_gift_words(viewer: Viewer, text: str) -> None:
    """Keep what a player wants to say with a gift that they are about to make. Raises `Refused`."""
    for each in _gift_words:
        if each.offered(viewer.match):
            each.take(viewer, text)


def given_words(match: Match) -> dict[str, str]:
    """The words of gifts that were announced, by giver; empty where they cannot be read now."""
    try:
        return {giver: text for each in _gift_words for giver, text in each.announced(match).items()}
    except Exception:
        logger.exception("gift_words_failed", match=match.public_id)
        return {}


Make = Callable[[Viewer], tuple[Addition, ...]]
_makers: list[Make] = []


def register(make: Make) -> None:
    """From now on ask this function for every viewer of a page of a match. It may read the database; one query is
    plenty, since people wait for it."""
    if make not in _makers:
        _makers.append(make)


def additions_for(viewer: Viewer) -> Additions:
    """What all apps add for this viewer. A function that fails is logged and left out: the board has to be shown also
    where something beside it is broken."""
    found: list[Addition] = []
    for make in _makers:
        try:
            found += make(viewer)
        except Exception:
            logger.exception("addition_failed", match=viewer.match.public_id, made_by=make.__module__)
    return Additions(
        tuple(each for each in found if isinstance(each, Tab)),
        tuple(each for each in found if isinstance(each, Link)),
        tuple(each for each in found if isinstance(each, Panel)),
    )
