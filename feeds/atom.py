"""Atom feeds (RFC 4287) in pages (RFC 5005): what is new comes first, and `next` leads to what is older."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from feeds.calendars import plain

_NOTHING_YET = datetime(1970, 1, 1, tzinfo=UTC)
"""When a feed without entries has changed. The present would make each answer another one."""


class Entry(NamedTuple):
    """One thing told. `id` is unique on this site and never changes; `path` leads to the page that it is about."""

    id: str
    title: str
    at: datetime
    path: str
    text: str = ""


class _PagedFeed(Atom1Feed):
    def add_root_elements(self, handler: Any) -> None:
        super().add_root_elements(handler)
        for relation in ("first", "next"):
            if href := self.feed.get(relation):
                handler.addQuickElement("link", "", {"rel": relation, "href": href})

    def add_item_elements(self, handler: Any, item: Any) -> None:
        super().add_item_elements(handler, {**item, "description": item["description"] or None})

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else _NOTHING_YET


def as_atom(title: str, subtitle: str, page: str, feed: str, entries: Iterable[Entry], after: str, older: str) -> bytes:
    """The text of one page of a feed. The same entries give the same bytes.

    `page` and `feed` are the paths of the page that shows the same to people, and of the feed. `after` names the entry
    after which this page begins (empty: it is the first one), `older` the one after which the next page does (empty:
    it is the last one).
    """
    first = f"{settings.SITE_URL}{feed}"
    found = _PagedFeed(
        title=plain(title),
        link=f"{settings.SITE_URL}{page}",
        description=None,
        subtitle=plain(subtitle),
        author_name="Genius",
        feed_url=f"{first}?after={after}" if after else first,
        feed_guid=_tag(feed),
        language="en",
        first=first if after else "",
        next=f"{first}?after={older}" if older else "",
    )
    for entry in entries:
        found.add_item(
            title=plain(entry.title),
            link=f"{settings.SITE_URL}{entry.path}",
            description=escape(plain(entry.text)),
            unique_id=_tag(entry.id),
            updateddate=entry.at,
            pubdate=entry.at,
        )
    return found.writeString("utf-8").encode()


def _tag(name: str) -> str:
    """A name as a tag URI (RFC 4151), which stays the same when addresses change."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},2026:{name.strip('/')}"
