"""A person's own notices, for the bell on every page and the card beside it, for the list, and for programs."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from matches.infra.text import iso
from matches.models import clock
from matches.pages.extensions import Makers
from matches.queries.paging import Page, page_of, place_of
from notices import events
from notices.models import Habits, Notice
from notices.reading import lapsed

MOST_UNREAD = 100
"""At most so many unread notices, the latest, are shown and counted."""

of_unread_talk = Makers[[Any], list[dict[str, Any]]]()
"""Functions of other apps that return a person's unread talk for the list of notices: `url`, `match_title`, `where`,
`authors`, `words`, `mentions` and `latest_at` of each room."""

_SHOWN = ("token", "event", "title", "text", "url", "by", "at", "read_at")
_OF_MATCH = ("match__public_id", "match__title", "match__game")


def unread(user: Any) -> list[Notice]:
    """Return a person's unread notices in one query: those that ask for something first, then the latest first. Leaves
    out those whose deadline has passed."""
    rows = Notice.objects.filter(user=user, read_at=None).exclude(lapsed()).order_by("-pk")
    return sorted(_shown(rows, MOST_UNREAD), key=lambda each: not each.is_asking)


def read_page(user: Any, after: str, most: int) -> Page[Notice]:
    """Return a page of a person's read notices, the latest first. Raises `UnknownPlace`."""
    rows = Notice.objects.filter(user=user, read_at__isnull=False).order_by("-pk")
    if after:
        (key,) = place_of(Notice.objects.filter(user=user, token=after).values_list("pk"))
        rows = rows.filter(pk__lt=key)
    return page_of(list(_shown(rows, most + 1)), most, lambda each: each.token)


def by_match(items: Iterable[Notice]) -> list[list[Notice]]:
    """Group notices by match; both keep their order."""
    found: defaultdict[str, list[Notice]] = defaultdict(list)
    for item in items:
        found[item.match_code].append(item)
    return list(found.values())


def _shown(rows: QuerySet[Notice], most: int) -> QuerySet[Notice]:
    # Only these columns: a match's whole row is large.
    return rows.filter(event__in=events.EVENTS).select_related("match").only(*_SHOWN, *_OF_MATCH)[:most]


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


def fragments(found: list[Notice]) -> dict[str, str]:
    """Return the HTML of the bell, and of the card beside it."""
    # Slicing turns a SafeString into a plain string, which frames need.
    return {"bell": bell(found)[:], "notices": card(found)[:]}


def bell(found: list[Notice]) -> SafeString:
    """Return the link to the list, with the number of unread notices."""
    return render_to_string(
        "notices/bell.html",
        {"count": len(found), "is_more": len(found) == MOST_UNREAD, "tokens": [each.token for each in found]},
    )


FRESH = timedelta(minutes=3)
"""How long a notice stands beside the bell; an older one would be in the way on each page that somebody opens."""


def card(found: list[Notice]) -> SafeString:
    """Return the card beside the bell: the latest fresh notice that interrupts, or else the latest fresh one; empty
    without any. The bell leads to older ones."""
    fresh = [each for each in found if each.at > clock.now() - FRESH]
    if not fresh:
        return SafeString()
    shown = max(fresh, key=lambda each: (each.interrupts, each.at))
    return render_to_string("notices/card.html", {"notice": shown, "more": len(found) - 1})


def said(notice: Notice) -> str:
    """Return a notice in one line, with its headline unless the text begins with it."""
    where = f"{notice.match_title} ({notice.game_title}): " if notice.match else ""
    headline = "" if notice.text.startswith(notice.headline) else f"{notice.headline}: "
    return " ".join(f"{where}{headline}{notice.text}".split())


def as_json(notice: Notice) -> dict[str, Any]:
    """Return a notice as JSON for programs."""
    return {
        "token": notice.token,
        "event": notice.event,
        "group": notice.group,
        "match": notice.match_code or None,
        "match_title": notice.match_title,
        "game": notice.match.game if notice.match else None,
        "title": notice.title,
        "text": notice.text,
        "url": notice.url,
        "at": iso(notice.at),
        "by": iso(notice.by),
    }
