"""What other apps add to pages: of a match (tabs, links and panels), of a person, of a person's own matches, and to
whatever page somebody has open.

An app registers a function in its `AppConfig.ready`; matches/ knows none of them by name. What it adds is made for one
viewer, holds nothing that this viewer may not know, and is shown as it is.
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
    """Functions that apps have registered, each once, in their order. People wait for them: each may read the database
    a fixed number of times, however much there is."""

    def __init__(self, *makers: Callable[P, T]) -> None:
        self._makers = list(makers)

    def register(self, make: Callable[P, T]) -> None:
        """Ask this function from now on."""
        if make not in self._makers:
            self._makers.append(make)

    def __iter__(self) -> Iterator[Callable[P, T]]:
        return iter(self._makers)

    def ask(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        """What each of them gives. One that fails is logged and left out: the page has to be shown also where something
        beside it is broken."""
        for make in self:
            try:
                yield make(*args, **kwargs)
            except Exception:
                logger.exception("addition_failed", made_by=make.__module__)


# -- pages of a match --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a match that another app serves. `name` is what that page gives as its own tab (`MatchPage.context`);
    `unread`: how many things on it this viewer has not seen yet, and `news`, from whom they are; `unread_href`: where a
    page that stays open asks for both (`components/unread.html`) when it hears a hint of `name`;
    `latest_href`: where the board's page gets the latest of it, as HTML, to show it beside the board; `holds`: the
    match's own pages that one finds there."""

    name: str
    text: str
    href: str
    unread: int = 0
    news: str = ""
    unread_href: str = ""
    latest_href: str = ""
    holds: tuple[str, ...] = ()

    def shown(self, current: str) -> dict[str, Any]:
        """For `components/tabs.html`, where the page of that name is shown."""
        shown = {name: getattr(self, name) for name in ("href", "text", "unread", "name", "unread_href")}
        return {**shown, "current": current in (self.name, *self.holds)}


@dataclass(frozen=True, slots=True)
class Link:
    """A link below the match page's feed. With a `media_type` it is also named in the head of every page of the match,
    where browsers and feed readers find it."""

    text: str
    href: str
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part that folds on the match page, below the board. `html` is its body; one with forms, which need the page's
    token, names a `template` instead, which gets `own`. `is_open`: at first; `is_mine`: only its viewer sees it;
    `in_line`: it does not fold, and stands in the line above the board of a small match."""

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


of_matches = Makers[[Viewer], tuple[Addition, ...]]()


def additions_for(viewer: Viewer) -> Additions:
    """What all apps add for this viewer."""
    found = [each for some in of_matches.ask(viewer) for each in some]
    return Additions(
        tuple(each for each in found if isinstance(each, Tab)),
        tuple(each for each in found if isinstance(each, Link)),
        tuple(each for each in found if isinstance(each, Panel)),
    )


def link_to_place(viewer: Viewer) -> tuple[Link, ...]:
    """To a player's own place, while the match is not over."""
    if viewer.player is None or viewer.match.is_over:
        return ()
    return (Link("Your place: say that you will be away", reverse("matches:place", args=[viewer.match.public_id])),)


# -- pages of a person -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a public profile. `name`: its id there, and its key in `/api/v1/people/<username>/`, unique among all;
    `html`: its body, below the title; `data`: the same for programs, JSON-able."""

    name: str
    title: str
    html: SafeString
    data: Any


of_people = Makers[[Any, Any], Section | None]()
"""They get the person and who looks (perhaps nobody who is signed in), and are not asked where the person keeps their
profile empty."""


def sections_of(user: Any, viewer: Any) -> tuple[Section, ...]:
    """What all apps add to this person's profile."""
    return tuple(section for section in of_people.ask(user, viewer) if section is not None)


# -- a person's own matches --------------------------------------------------------------------------------


class Line(NamedTuple):
    """A short text on the line of a match, with the address of what it is about."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Mine:
    """A section beside a person's own matches. `asks`: what is asked of them, a row each, before all else."""

    name: str
    title: str
    html: SafeString
    asks: tuple[SafeString, ...] = ()


of_lines = Makers[[Any, Sequence[Match]], Mapping[int, Sequence[Line]]]()
of_mine = Makers[[Any], Mine | None]()


def lines_in(user: Any, matches: Sequence[Match]) -> dict[int, list[Line]]:
    """All lines of these matches, by the match's id."""
    found: dict[int, list[Line]] = {match.pk: [] for match in matches}
    for each in of_lines.ask(user, matches) if matches else ():
        for pk, lines in each.items():
            found[pk] += lines
    return found


def mine_of(user: Any) -> list[Mine]:
    """All sections for one person."""
    return [found for found in of_mine.ask(user) if found is not None]


# -- whatever page is open ---------------------------------------------------------------------------------

of_frames = Makers[[Any, Literal["json", "html"]], dict[str, Any]]()
"""Given a user and a format, the fields of a frame: JSON-able, equal where nothing has changed. When what an app shows
to somebody has changed, it sends the signal `people_told`, and open pages and programs (`/ws/me/`) get it."""


def shown_to(user: Any, form: Literal["json", "html"]) -> dict[str, Any]:
    """All fields for one person."""
    return {name: value for make in of_frames for name, value in make(user, form).items()}
