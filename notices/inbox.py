"""A person's own notices, for the bell on every page and the card beside it, for the list, and for programs."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from matches.engine.notice_events import DEADLINE_NEAR
from matches.games.registry import rules_of
from matches.infra.text import iso
from matches.models import clock
from matches.pages.extensions import Makers
from matches.queries.paging import Page, page_of, place_of
from notices import events
from notices.models import Habits, Notice
from notices.reading import lapsed
from notices.reminder_times import offer_again

MOST_UNREAD = 100
"""At most so many unread notices, the latest, are shown and counted."""

LINES_SHOWN = 2
"""Lists show so many lines of a notice at first: on a phone the close of a round fills several screens."""

of_unread_talk = Makers[[Any], list[dict[str, Any]]]()
"""Functions of other apps that return a person's unread talk for the list of notices: `url`, `match_title`, `where`,
`authors`, `words`, `mentions` and `latest_at` of each room."""

_COLUMNS = ("token", "event", "title", "text", "url", "by", "at", "read_at")
_OF_MATCH = ("match__public_id", "match__title", "match__game")


class Shown(NamedTuple):
    """One notice as its receiver sees it. `match`: the public id of its match, empty if it has none."""

    token: str
    event: str
    title: str
    text: str
    url: str
    by: datetime | None
    at: datetime
    read_at: datetime | None
    match: str
    match_title: str
    game: str

    @property
    def group(self) -> str:
        """The group of its event: act, lost, won or news."""
        return events.EVENTS[self.event].group

    @property
    def is_past(self) -> bool:
        """Whether its deadline has passed."""
        return self.by is not None and self.by <= clock.now()

    @property
    def has_lapsed(self) -> bool:
        """Whether it asked for something by a deadline that has passed; it then counts as news."""
        return self.group == events.ACT and self.is_past

    @property
    def interrupts(self) -> bool:
        """Whether its card may cover a phone's page for a while; wide screens have room beside the bell."""
        is_due = self.group in (events.ACT, events.LOST) and not self.has_lapsed
        return is_due or self.event in events.FROM_PEOPLE

    @property
    def again(self) -> str:
        """When another reminder would come, in words; empty for other notices, or when it is too late."""
        return offer_again(clock.now(), self.by) if self.event == DEADLINE_NEAR else ""

    @property
    def opening(self) -> str:
        """The first, most important lines of the text."""
        return "\n".join(self.text.splitlines()[:LINES_SHOWN])

    @property
    def rest(self) -> str:
        """The lines after the opening."""
        return "\n".join(self.text.splitlines()[LINES_SHOWN:])

    @property
    def headline(self) -> str:
        """What has happened, without the match's title; a notice without a match has only its title."""
        return events.EVENTS[self.event].headline if self.match else self.title

    @property
    def game_title(self) -> str:
        """The name of the match's game."""
        return rules_of(self.game, None).title if self.game else ""


def unread(user: Any) -> list[Shown]:
    """Return a person's unread notices in one query: those that ask for something first, then the latest first. Leaves
    out those whose deadline has passed."""
    rows = Notice.objects.filter(user=user, read_at=None).exclude(lapsed()).order_by("-pk")
    return sorted(_shown(rows, MOST_UNREAD), key=lambda each: each.group != events.ACT)


def read_page(user: Any, after: str, most: int) -> Page[Shown]:
    """Return a page of a person's read notices, the latest first. Raises `UnknownPlace`."""
    rows = Notice.objects.filter(user=user, read_at__isnull=False).order_by("-pk")
    if after:
        (key,) = place_of(Notice.objects.filter(user=user, token=after).values_list("pk"))
        rows = rows.filter(pk__lt=key)
    return page_of(_shown(rows, most + 1), most, lambda each: each.token)


def by_match(items: Iterable[Shown]) -> list[list[Shown]]:
    """Group notices by match; both keep their order."""
    found: defaultdict[str, list[Shown]] = defaultdict(list)
    for item in items:
        found[item.match].append(item)
    return list(found.values())


def _shown(rows: QuerySet[Notice], most: int) -> list[Shown]:
    # Only these columns: a match's whole row is large.
    found = rows.filter(event__in=events.EVENTS).values_list(*_COLUMNS, *_OF_MATCH)[:most]
    return [Shown(*row[:-3], *(each or "" for each in row[-3:])) for row in found]


def shown_to(user: Any, form: Literal["json", "html"]) -> dict[str, Any]:
    """Return a person's part of a frame for open pages or programs (`matches.pages.extensions`).

    For pages: `bell` and `notices` as HTML, `said` (token -> a notice in one line), and whether a new one may `sound`.
    """
    found = unread(user)
    if form == "json":
        return {"notices": [as_json(each) for each in found], "unread": len(found)}
    sound = bool(found) and Habits.objects.filter(user=user, sound=True).exists()
    with timezone.override(ZoneInfo(user.time_zone)):
        return {**fragments(found), "said": {each.token: said(each) for each in found}, "sound": sound}


def fragments(found: list[Shown]) -> dict[str, str]:
    """Return the HTML of the bell, and of the card beside it."""
    # Slicing turns a SafeString into a plain string, which frames need.
    return {"bell": bell(found)[:], "notices": card(found)[:]}


def bell(found: list[Shown]) -> SafeString:
    """Return the link to the list, with the number of unread notices."""
    return render_to_string(
        "notices/bell.html",
        {"count": len(found), "is_more": len(found) == MOST_UNREAD, "tokens": [each.token for each in found]},
    )


FRESH = timedelta(minutes=3)
"""How long a notice stands beside the bell; an older one would be in the way on each page that somebody opens."""


def card(found: list[Shown]) -> SafeString:
    """Return the card beside the bell: the latest fresh notice that interrupts, or else the latest fresh one; empty
    without any. The bell leads to older ones."""
    fresh = [each for each in found if each.at > clock.now() - FRESH]
    if not fresh:
        return SafeString()
    shown = max(fresh, key=lambda each: (each.interrupts, each.at))
    return render_to_string("notices/card.html", {"notice": shown, "more": len(found) - 1})


def said(notice: Shown) -> str:
    """Return a notice in one line, with its headline unless the text begins with it."""
    where = f"{notice.match_title} ({notice.game_title}): " if notice.match else ""
    headline = "" if notice.text.startswith(notice.headline) else f"{notice.headline}: "
    return " ".join(f"{where}{headline}{notice.text}".split())


def as_json(notice: Shown) -> dict[str, Any]:
    """Return a notice as JSON for programs."""
    return {
        "token": notice.token,
        "event": notice.event,
        "group": notice.group,
        "match": notice.match or None,
        "match_title": notice.match_title,
        "game": notice.game or None,
        "title": notice.title,
        "text": notice.text,
        "url": notice.url,
        "at": iso(notice.at),
        "by": iso(notice.by),
    }
