"""Views of calendars and Atom feeds: those that programs poll, and the page on which people manage their calendar."""

import hashlib
from collections.abc import Callable, Hashable
from datetime import UTC, datetime
from math import ceil
from operator import attrgetter
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.views.decorators.http import require_POST, require_safe

from accounts.sign_in import form_login_required
from matches.engine.sentences import joined
from matches.infra.rate_limits import Buckets, client_address
from matches.models import Match
from matches.pages.extensions import Addition, Link
from matches.queries import feed, lists
from matches.queries.access import MatchHidden, Viewer, access_match, legible
from matches.queries.log import heads_told, in_words
from matches.queries.paging import Page, UnknownPlace
from notices.calendars import as_ical, events_of, find_address, make_address, plain, revoke_address
from notices.models import CalendarAddress

# -- feeds (RFC 4287) in pages (RFC 5005): the newest entries first; `next` leads to older ones --------------

_NOTHING_YET = datetime(1970, 1, 1, tzinfo=UTC)
"""The date of a feed without entries. The present time would change it with every answer."""


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


def _tag(name: str) -> str:
    """A tag URI (RFC 4151), which stays the same when URLs change."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},2026:{name.strip('/')}"


def _item(name: str, title: str, at: datetime, path: str, text: str) -> dict[str, Any]:
    """One entry of a feed. `name` is unique on this site and never changes; `path` leads to the page about it."""
    return {
        "title": plain(title),
        "link": f"{settings.SITE_URL}{path}",
        "description": escape(plain(text)),
        "unique_id": _tag(name),
        "updateddate": at,
        "pubdate": at,
    }


# -- pages ---------------------------------------------------------------------------------------------------


def _too_many(rates: Buckets, key: Hashable) -> HttpResponse | None:
    """Count a request; return a refusal if it is one too many."""
    wait = rates.take(key)
    if not wait:
        return None
    headers = {"Retry-After": str(ceil(wait)), "Cache-Control": "no-store"}
    text = "Too many requests. Please ask again later, and then at most once every few minutes.\n"
    return HttpResponse(text, status=429, content_type="text/plain; charset=utf-8", headers=headers)


def _conditional(request: HttpRequest, body: bytes, content_type: str, cache_control: str) -> HttpResponseBase:
    """The answer with an ETag, or 304 if the client has it already. It has no `Last-Modified`, by which two changes
    within a second would look like one."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type=content_type, headers={"Cache-Control": cache_control, "ETag": tag})
    return get_conditional_response(request, etag=tag, response=response) or response


READS = Buckets(rate=0.5, burst=120)
"""The limit for reading one calendar, in each process."""

GUESSES = Buckets(rate=0.5, burst=60)
"""The limit for one network address that asks for calendars that do not exist, in each process."""


@require_safe
def calendar(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Serve the calendar at a secret URL. A revoked one gets the same answer as one that never existed."""
    address = find_address(secret)
    refusal = _too_many(READS, address.pk) if address else _too_many(GUESSES, client_address(request))
    if refusal:
        return refusal
    if address is None:
        raise Http404("no such calendar")
    text = as_ical("Genius: my matches", events_of(address.user))
    return _conditional(request, text, "text/calendar; charset=utf-8", "private, no-cache")


FEED_READS = Buckets(rate=2, burst=120)
"""The limit for one network address that reads feeds, in each process."""

_A_PAGE = 50


def _feed(
    request: HttpRequest, read: Callable[[str], Page[dict[str, Any]]], title: str, subtitle: str, page: str
) -> HttpResponseBase:
    """Return one page of a feed, with the items after the one that `?after=` names. The same items give the same bytes.
    `page` is the path of the human-readable page. Raises `Http404` for an unknown `after`."""
    first, after = f"{settings.SITE_URL}{request.path}", request.GET.get("after", "")
    try:
        found = read(after)
    except UnknownPlace:
        raise Http404("no such place in this feed") from None
    atom = _PagedFeed(
        title=plain(title),
        link=f"{settings.SITE_URL}{page}",
        description=None,
        subtitle=plain(subtitle),
        author_name="Genius",
        feed_url=f"{first}?after={after}" if after else first,
        feed_guid=_tag(request.path),
        language="en",
        first=first if after else "",
        next=f"{first}?after={found.last}" if found.last else "",
    )
    for item in found.items:
        atom.add_item(**item)
    body = atom.writeString("utf-8").encode()
    response = _conditional(request, body, "application/atom+xml; charset=utf-8", "public, max-age=60")
    response["Access-Control-Allow-Origin"] = "*"  # public, and the same for everybody
    return response


@require_safe
def match_feed(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Serve the public announcements of a match, whoever asks: feeds are often read through another service."""
    if refusal := _too_many(FEED_READS, client_address(request)):
        return refusal
    try:
        shown = access_match(public_id, AnonymousUser()).match
    except MatchHidden:
        raise Http404("no such match") from None
    path = shown.get_absolute_url()

    def read(after: str) -> Page[dict[str, Any]]:
        page = feed.feed_page(shown, None, after, _A_PAGE)
        heads = heads_told(line.token for line in page.items)
        told = [(line, in_words(heads[line.token]) if line.token in heads else "") for line in page.items]
        return Page(
            [_item(f"announcement/{line.token}", line.text, line.at, path, head) for line, head in told], page.last
        )

    return _feed(request, read, shown.title, f"The public news of this match ({shown.rules.title})", path)


@require_safe
def results(request: HttpRequest) -> HttpResponseBase:
    """Serve the results of all matches, the latest first."""
    if refusal := _too_many(FEED_READS, client_address(request)):
        return refusal

    def read(after: str) -> Page[dict[str, Any]]:
        page = lists.public_page("finished", "", after, _A_PAGE)
        return Page([_result(match, match.finished_at) for match in page.items if match.finished_at], page.last)

    path = f"{reverse('matches:matches')}?state=finished"
    return _feed(request, read, "Genius: results", "How matches have ended", path)


def _result(match: Match, at: datetime) -> dict[str, Any]:
    """How a match ended, as on its result page."""
    outcome, names = legible(match, attrgetter("outcome")), feed.names_in(match)
    ended, more = "finished", f"A match of {match.rules.title}."
    if outcome is not None:
        won = [names.get(handle, handle) for handle in outcome.winners]
        out = [names.get(handle, handle) for handle in outcome.elimination_candidates]
        ended = f"{joined(won)} {'wins' if len(won) < 2 else 'win'}"
        more += f" Elimination Candidate{'s' if len(out) > 1 else ''}: {joined(out)}."
    path = reverse("matches:result", args=[match.public_id])
    return _item(f"match/{match.public_id}/result", f"{match.title}: {ended}", at, path, more)


@login_required
@require_safe
def calendars(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    found = CalendarAddress.objects.filter(user=user).first()
    address = f"{settings.SITE_URL}{reverse('feeds:calendar', args=[found.secret])}" if found and found.secret else ""
    # Calendar programs subscribe when somebody follows a `webcal` link.
    context = {"calendar": found, "address": address, "webcal": f"webcal:{address.partition(':')[2]}"}
    return render(request, "notices/feeds/calendars.html", context)


@form_login_required
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Make a calendar address, or replace it."""
    user: Any = request.user
    make_address(user)
    messages.success(request, "The address is below. An earlier one no longer works.")
    return redirect("feeds:calendars")


@form_login_required
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke the calendar address."""
    user: Any = request.user
    if revoke_address(user):
        messages.success(request, "Revoked. Nobody can read your calendar any more.")
    return redirect("feeds:calendars")


def links_of(viewer: Viewer) -> tuple[Addition, ...]:
    """Return a match's links: its feed if everybody may see it, and for people with an account their calendar page."""
    match, links = viewer.match, []
    if match.is_public:
        links.append(Link("Feed", reverse("feeds:match", args=[match.public_id]), "application/atom+xml"))
    if viewer.user.is_authenticated:
        links.append(Link("Calendar", reverse("feeds:calendars")))
    return tuple(links)
