"""The bell in the head of every page, and beside it the notice that counts most."""

from __future__ import annotations

from typing import Any, Literal
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from matches.infra.moments import iso
from notices import events
from notices.models import Habits
from notices.queries import own
from notices.queries.own import Shown


def shown_to(user: Any, form: Literal["json", "html"]) -> dict[str, Any]:
    """The fields of a frame to a person's open pages or programs (`matches.pages.personal`).

    For pages: `bell` and `notices` as HTML, `said` (token -> a notice in one line), and whether a new one may `sound`.
    """
    found = own.unread(user)
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
        {"count": len(found), "is_more": len(found) == own.MOST_UNREAD, "tokens": [each.token for each in found]},
    )


def card(found: list[Shown]) -> SafeString:
    """The latest notice that asks for something or says what was lost or won, else the latest of all; empty without
    one. What was asked until an instant that has passed is news."""
    if not found:
        return SafeString()
    shown = max(found, key=lambda each: (each.group != events.NEWS and not each.has_lapsed, each.at))
    return render_to_string("notices/card.html", {"notice": shown, "more": len(found) - 1})


def said(notice: Shown) -> str:
    """A notice in one line. Some texts begin with the very words of the headline, which nobody wants to hear twice."""
    begins = notice.text.startswith(notice.headline)
    return " ".join((notice.text if begins else f"{notice.headline}: {notice.text}").split())


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
