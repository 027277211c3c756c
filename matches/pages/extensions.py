"""What other apps add to pages: of matches (tabs, links, panels), of people, of one's own matches, and to any open
page.

An app registers a function in its `AppConfig.ready`; matches/ knows none of these apps by name. What it adds is made
for one viewer, holds nothing that this viewer may not know, and is shown as it is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, ParamSpec, TypeVar

import structlog
from django.urls import reverse
from django.utils.safestring import SafeString

from matches.models import Match
from matches.queries.access import Viewer

logger = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class Makers(Generic[P, T]):
    """Functions that apps have registered, each once, in order. They run while a page is made, so each may take only a
    fixed number of queries, however much data there is."""

    def __init__(self, *makers: Callable[P, T]) -> None:
        self._makers = list(makers)

    def register(self, make: Callable[P, T]) -> None:
        """Add a function, if it is not there yet."""
        if make not in self._makers:
            self._makers.append(make)

    def __iter__(self) -> Iterator[Callable[P, T]]:
        return iter(self._makers)

    def ask(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        """Yield what each function returns. One that fails is logged and left out, so that the page is still shown."""
        for make in self:
            try:
                yield make(*args, **kwargs)
            except Exception:
                logger.exception("addition_failed", made_by=make.__module__)


# -- pages of a match --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a match that another app serves. `name`: what that page passes as its own tab (`MatchPage.context`);
    `unread`: how many things on it this viewer has not seen, and `news`, from whom they are; `unread_href`: where an
    open page gets both (`components/unread.html`) when it receives a hint called `name`; `latest_href`: where the page
    of the board gets the latest entries as HTML, to show them beside the board; `holds`: which of the match's own pages
    are found there instead."""

    name: str
    text: str
    href: str
    unread: int = 0
    news: str = ""
    unread_href: str = ""
    latest_href: str = ""
    holds: tuple[str, ...] = ()

    def shown(self, current: str) -> dict[str, Any]:
        """Return the context of `components/tabs.html`; `current` names the page that is shown."""
        shown = {name: getattr(self, name) for name in ("href", "text", "unread", "name", "unread_href")}
        return {**shown, "current": current in (self.name, *self.holds)}


@dataclass(frozen=True, slots=True)
class Link:
    """A link below the match page's feed. With a `media_type` it is also a `<link>` in the head of every page of the
    match, for browsers and feed readers."""

    text: str
    href: str
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A collapsible part of the match page, below the board. `html` is its body; one with forms, which need the page's
    CSRF token, has a `template` instead, which gets `own`. `is_open`: unfolded at first; `is_mine`: only its viewer
    sees it; `in_line`: not collapsible, in the line above the board of a small match."""

    id: str
    title: str
    html: SafeString | str = ""
    template: str = ""
    own: Mapping[str, object] = field(default_factory=dict)
    is_open: bool = False
    is_mine: bool = False
    in_line: bool = False


Addition = Tab | Link | Panel


@dataclass(frozen=True, slots=True)
class Additions:
    """Everything that is added for one viewer; each kind in the order in which the apps registered."""

    tabs: tuple[Tab, ...] = ()
    links: tuple[Link, ...] = ()
    panels: tuple[Panel, ...] = ()


@dataclass(frozen=True, slots=True)
class GiftWords:
    """How an app handles the words that players add to their gifts of Tokens of Life.

    `offered`: whether a match has such words; it never changes once the match has begun. `take`: stores a player's
    words before the gift is made; raises `Refused`. `announced`: the words of gifts that were announced, by giver;
    nobody may know them earlier.
    """

    offered: Callable[[Match], bool]
    take: Callable[[Viewer, str], None]
    announced: Callable[[Match], Mapping[str, str]]


_gift_words: list[GiftWords] = []


def offer_gift_words(words: GiftWords) -> None:
    """Register the app that handles the words given with gifts."""
    _gift_words[:] = [words]


def gift_words_offered(match: Match) -> bool:
    """Whether players of this match can add words to their gifts."""
    return any(each.offered(match) for each in _gift_words)


def take_gift_words(viewer: Viewer, text: str) -> None:
    """Store a player's words for a gift that they are about to make. Raises `Refused`."""
    for each in _gift_words:
        if each.offered(viewer.match):
            each.take(viewer, text)


def given_words(match: Match) -> dict[str, str]:
    """Return the words of announced gifts, by giver; empty if they cannot be read now."""
    try:
        return {giver: text for each in _gift_words for giver, text in each.announced(match).items()}
    except Exception:
        logger.exception("gift_words_failed", match=match.public_id)
        return {}


of_matches = Makers[[Viewer], tuple[Addition, ...]]()


def additions_for(viewer: Viewer) -> Additions:
    """Return what all apps add for this viewer."""
    found = [each for some in of_matches.ask(viewer) for each in some]
    return Additions(
        tuple(each for each in found if isinstance(each, Tab)),
        tuple(each for each in found if isinstance(each, Link)),
        tuple(each for each in found if isinstance(each, Panel)),
    )


def link_to_place(viewer: Viewer) -> tuple[Link, ...]:
    """Return a link to the player's own place while the match is not over."""
    if viewer.player is None or viewer.match.is_over:
        return ()
    return (Link("Your place: say that you will be away", reverse("matches:place", args=[viewer.match.public_id])),)


# -- pages of a person -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a public profile. `name`: its id there and its key in `/api/v1/people/<username>/`, unique among all
    sections; `html`: its body, below the title; `data`: the same for programs, as JSON."""

    name: str
    title: str
    html: SafeString
    data: Any


of_people = Makers[[Any, Any], Section | None]()
"""Functions that get the person and the viewer (perhaps anonymous). Not called for people with an empty profile."""


def sections_of(user: Any, viewer: Any) -> tuple[Section, ...]:
    """Return what all apps add to this person's profile."""
    return tuple(section for section in of_people.ask(user, viewer) if section is not None)


# -- a person's own matches --------------------------------------------------------------------------------


class Line(NamedTuple):
    """A short text on a match's line in a list, with the URL of what it is about."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Mine:
    """A section beside a person's own matches. `asks`: rows about what is asked of them, shown above all matches."""

    name: str
    title: str
    html: SafeString
    asks: tuple[SafeString, ...] = ()


of_lines = Makers[[Any, Sequence[Match]], Mapping[int, Sequence[Line]]]()
of_mine = Makers[[Any], Mine | None]()


def lines_in(user: Any, matches: Sequence[Match]) -> dict[int, list[Line]]:
    """Return the lines that apps add to these matches, by the match's id."""
    found: dict[int, list[Line]] = {match.pk: [] for match in matches}
    for each in of_lines.ask(user, matches) if matches else ():
        for pk, lines in each.items():
            found[pk] += lines
    return found


def mine_of(user: Any) -> list[Mine]:
    """Return all sections for one person."""
    return [found for found in of_mine.ask(user) if found is not None]


# -- whatever page is open ---------------------------------------------------------------------------------

of_frames = Makers[[Any, Literal["json", "html"]], dict[str, Any]]()
"""Functions that get a user and a format and return the fields of a frame: JSON, equal if nothing has changed. When an
app changes what somebody sees, it sends the signal `people_told`, and open pages and programs (`/ws/me/`) get the new
frame."""


def shown_to(user: Any, form: Literal["json", "html"]) -> dict[str, Any]:
    """Return all fields of a frame for one person."""
    return {name: value for make in of_frames for name, value in make(user, form).items()}
