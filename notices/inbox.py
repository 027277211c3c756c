"""A person's own notices: for the bell on every page and the notice beside it, the list, and programs."""

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
"""So many unread notices are shown and counted at most; the latest of them."""

LINES_SHOWN = 2
"""So many lines of a notice a list shows at once: on a phone the close of a round fills several screens."""

of_unread_talk = Makers[[Any], list[dict[str, Any]]]()
"""Asked what a person has not read elsewhere, for the list of notices: `url`, `match_title`, `where`, `authors`,
`words`, `mentions` and `latest_at` of each room."""

_COLUMNS = ("token", "event", "title", "text", "url", "by", "at", "read_at")
_OF_MATCH = ("match__public_id", "match__title", "match__game")


class Shown(NamedTuple):
    """One notice as its receiver sees it. `match`: the public id of its match, empty without one."""

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
        """What it is to the receiver: act, lost, won or news."""
        return events.EVENTS[self.event].group

    @property
    def is_past(self) -> bool:
        """Whether the instant until which something could be done has passed."""
        return self.by is not None and self.by <= clock.now()

    @property
    def has_lapsed(self) -> bool:
        """Whether it asked for something until an instant that has passed: then it is news."""
        return self.group == events.ACT and self.is_past

    @property
    def interrupts(self) -> bool:
        """Whether it is worth lying over a phone's page for a while; at a desk there is room beside the bell."""
        is_due = self.group in (events.ACT, events.LOST) and not self.has_lapsed
        return is_due or self.event in events.FROM_PEOPLE

    @property
    def again(self) -> str:
        """When a reminder can be asked for once more, in words; empty for all that is none, or when it is too late."""
        return offer_again(clock.now(), self.by) if self.event == DEADLINE_NEAR else ""

    @property
    def opening(self) -> str:
        """The lines of the text that count most: it begins with them."""
        return "\n".join(self.text.splitlines()[:LINES_SHOWN])

    @property
    def rest(self) -> str:
        """What comes after the opening."""
        return "\n".join(self.text.splitlines()[LINES_SHOWN:])

    @property
    def headline(self) -> str:
        """What has happened, without the match; where there is none, with the season."""
        return events.EVENTS[self.event].headline if self.match else self.title

    @property
    def game_title(self) -> str:
        """The name of the match's game."""
        return rules_of(self.game, None).title if self.game else ""


def unread(user: Any) -> list[Shown]:
    """A person's unread notices, without what asked for something until an instant that has passed: what is to be done
    first; the latest first. One statement."""
    rows = Notice.objects.filter(user=user, read_at=None).exclude(lapsed()).order_by("-pk")
    return sorted(_shown(rows, MOST_UNREAD), key=lambda each: each.group != events.ACT)


def read_page(user: Any, after: str, most: int) -> Page[Shown]:
    """A page of a person's read notices, the latest first. Raises `UnknownPlace`."""
    rows = Notice.objects.filter(user=user, read_at__isnull=False).order_by("-pk")
    if after:
        (key,) = place_of(Notice.objects.filter(user=user, token=after).values_list("pk"))
        rows = rows.filter(pk__lt=key)
    return page_of(_shown(rows, most + 1), most, lambda each: each.token)


def by_match(items: Iterable[Shown]) -> list[list[Shown]]:
    """The same notices by match; matches and notices stay in the order in which they come."""
    found: defaultdict[str, list[Shown]] = defaultdict(list)
    for item in items:
        found[item.match].append(item)
    return list(found.values())


def _shown(rows: QuerySet[Notice], most: int) -> list[Shown]:
    # The columns and no more: a match's own row is large.
    found = rows.filter(event__in=events.EVENTS).values_list(*_COLUMNS, *_OF_MATCH)[:most]
    return [Shown(*row[:-3], *(each or "" for each in row[-3:])) for row in found]


def shown_to(user: Any, form: Literal["json", "html"]) -> dict[str, Any]:
    """The fields of a frame to a person's open pages or programs (`matches.pages.extensions`).

    For pages: `bell` and `notices` as HTML, `said` (token -> a notice in one line), and whether a new one may `sound`.
    """
    found = unread(user)
    if form == "json":
        return {"notices": [as_json(each) for each in found], "unread": len(found)}
    sound = bool(found) and Habits.objects.filter(user=user, sound=True).exists()
    with timezone.override(ZoneInfo(user.time_zone)):
        return {**fragments(found), "said": {each.token: said(each) for each in found}, "sound": sound}


def fragments(found: list[Shown]) -> dict[str, str]:
    """What a page shows of these: the bell, and the notice beside it."""
    # A slice of a SafeString is a plain one, which is what frames are encoded from.
    return {"bell": bell(found)[:], "notices": card(found)[:]}


def bell(found: list[Shown]) -> SafeString:
    """The link to the list, with how many there are."""
    return render_to_string(
        "notices/bell.html",
        {"count": len(found), "is_more": len(found) == MOST_UNREAD, "tokens": [each.token for each in found]},
    )


FRESH = timedelta(minutes=3)
"""So long a notice stands beside the bell by itself; it would be in the way on each page that somebody opens."""


def card(found: list[Shown]) -> SafeString:
    """Of what was told just now, the latest that asks for something, says what was lost or was written to the receiver,
    else the latest of all; empty without one: what is older the bell has."""
    fresh = [each for each in found if each.at > clock.now() - FRESH]
    if not fresh:
        return SafeString()
    shown = max(fresh, key=lambda each: (each.interrupts, each.at))
    return render_to_string("notices/card.html", {"notice": shown, "more": len(found) - 1})


def said(notice: Shown) -> str:
    """A notice in one line. Some texts begin with the very words of the headline, which nobody wants to hear twice."""
    where = f"{notice.match_title} ({notice.game_title}): " if notice.match else ""
    headline = "" if notice.text.startswith(notice.headline) else f"{notice.headline}: "
    return " ".join(f"{where}{headline}{notice.text}".split())


def as_json(notice: Shown) -> dict[str, Any]:
    """A notice for programs."""
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
