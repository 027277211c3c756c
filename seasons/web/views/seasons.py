"""The pages of seasons: all of them, one, its accounts, its rules, its story."""

from __future__ import annotations

import secrets

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.web.leafing import leaf
from matches.web.spoilers import hides_results
from seasons.engine.settings import SeasonSettings
from seasons.models import Member
from seasons.queries import heads, lists, standing
from seasons.queries.access import note_look
from seasons.queries.export import may_read_ledger
from seasons.queries.statements import statement as statement_of
from seasons.web.page import open_season_page


@require_safe
def all_seasons(request: HttpRequest) -> HttpResponse:
    """All public seasons, the newest first."""
    page, leafing = leaf(request, lists.seasons_page)
    return render(request, "seasons/list.html", {"seasons": page.items, "hides": hides_results(request), **leafing})


@require_safe
def season(request: HttpRequest, public_id: str) -> HttpResponse:
    """One season: what is going on, standings, schedule, what was told last."""
    page = open_season_page(request, public_id)
    context = page.context(
        "season",
        standings=page.cast,
        schedule=standing.schedule(page.season, with_drafts=page.viewer.sees),
        counted=standing.counted(page.season, page.cast),
        going=standing.going_on(page.season, page.state),
        news=page.news(12),
        fingerprint=heads.latest(page.season),
        winners=[line.handle for line in page.cast if line.place == 1],
        key=secrets.token_urlsafe(12),
        hosting="you host this season" if page.viewer.acts else "you observe this season" if page.viewer.sees else "",
    )
    return render(request, "seasons/season.html", context)


@require_safe
def statement(request: HttpRequest, public_id: str, handle: str = "") -> HttpResponse:
    """A member's own account, entry by entry; hosts can look at each."""
    page = open_season_page(request, public_id)
    wanted = handle or page.me
    member = Member.objects.filter(season=page.season, handle=wanted).first() if wanted else None
    if member is None or page.state is None or not may_read_ledger(page.viewer, member.handle):
        raise Http404("no such account, or not yours")
    note_look(page.viewer)
    found = statement_of(member)
    context = page.context("statement", member=member, has=found.has, through=found.through, lines=found.lines)
    return render(request, "seasons/statement.html", context)


@require_safe
def story(request: HttpRequest, public_id: str) -> HttpResponse:
    """The whole season in one page, from its beginning: for readers, during it and afterwards, then with its table."""
    page = open_season_page(request, public_id)
    news = standing.story(page.season, page.names)
    winners = [line for line in page.cast if line.place == 1]
    context = page.context("story", news=news, winners=winners, standings=page.cast)
    return render(request, "seasons/story.html", context)


@require_safe
def rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """How this season is played: its settings in words."""
    page = open_season_page(request, public_id)
    settings = SeasonSettings.read(page.season.settings)
    return render(request, "seasons/rules.html", page.context("rules", settings=settings))
