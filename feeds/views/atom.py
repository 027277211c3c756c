"""The Atom feeds: what everybody was told in a match, and the results of all matches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from operator import attrgetter
from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from feeds.atom import Entry, as_atom
from feeds.views.answering import address_of, conditional, too_many
from matches.engine.sentences import joined
from matches.infra.buckets import Buckets
from matches.models import Match
from matches.queries import feed, lists
from matches.queries.access import MatchHidden, access_match
from matches.queries.feed import FeedLine
from matches.queries.heads import heads_told, in_words
from matches.queries.legible import legible
from matches.queries.paging import Page, UnknownPlace

READS = Buckets(rate=2, burst=120)
"""How often one network address can read feeds, in each process."""

_A_PAGE = 50

T = TypeVar("T")


@require_safe
def match(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """What everybody was told in a match, whoever asks: a feed is often read by somebody else's program."""
    if refusal := too_many(READS, address_of(request)):
        return refusal
    try:
        shown = access_match(public_id, AnonymousUser()).match
    except MatchHidden:
        raise Http404("no such match") from None
    after, page = _leaf(request, lambda after: feed.feed_page(shown, None, after, _A_PAGE))
    path = shown.get_absolute_url()
    heads = heads_told(line.token for line in page.items)
    text = as_atom(
        title=shown.title,
        subtitle=f"What everybody was told in this match of {shown.rules.title}",
        page=path,
        feed=reverse("feeds:match", args=[public_id]),
        entries=[_entry(line, path, heads.get(line.token, "")) for line in page.items],
        after=after,
        older=page.last,
    )
    return _answer(request, text)


@require_safe
def results(request: HttpRequest) -> HttpResponseBase:
    """The results of all matches, the latest first."""
    if refusal := too_many(READS, address_of(request)):
        return refusal
    after, page = _leaf(request, lambda after: lists.public_page("finished", "", after, _A_PAGE))
    text = as_atom(
        title="Genius: results",
        subtitle="How matches have ended",
        page=f"{reverse('matches:matches')}?state=finished",
        feed=reverse("feeds:results"),
        entries=[_result(each, each.finished_at) for each in page.items if each.finished_at],
        after=after,
        older=page.last,
    )
    return _answer(request, text)


def _leaf(request: HttpRequest, read: Callable[[str], Page[T]]) -> tuple[str, Page[T]]:
    """Where the page of a feed begins, and what is on it. Raises `Http404` for a place that the feed does not have."""
    after = request.GET.get("after", "")
    try:
        return after, read(after)
    except UnknownPlace:
        raise Http404("no such place in this feed") from None


def _answer(request: HttpRequest, text: bytes) -> HttpResponseBase:
    return conditional(request, text, "application/atom+xml; charset=utf-8", "public, max-age=60")


def _entry(line: FeedLine, path: str, head: str) -> Entry:
    return Entry(f"announcement/{line.token}", line.text, line.at, path, in_words(head) if head else "")


def _result(match: Match, at: datetime) -> Entry:
    """How a match has ended, as its result page says."""
    outcome, names = legible(match, attrgetter("outcome")), feed.names_in(match)
    ended, more = "finished", f"A match of {match.rules.title}."
    if outcome is not None:
        won = [names.get(handle, handle) for handle in outcome.winners]
        out = [names.get(handle, handle) for handle in outcome.elimination_candidates]
        ended = f"{joined(won)} {'wins' if len(won) < 2 else 'win'}"
        more += f" Elimination Candidate: {joined(out)}."
    path = reverse("matches:result", args=[match.public_id])
    return Entry(f"match/{match.public_id}/result", f"{match.title}: {ended}", at, path, more)
