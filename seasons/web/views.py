"""Views of seasons: the list, one season, accounts, story, cast, predictions, rules, export and invitations."""

import re
import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.sign_in import form_login_required
from matches.engine.core import GARNET, balance
from matches.engine.sentences import asset_name
from matches.infra import rate_limits
from matches.infra.text import for_discord
from matches.models import Match, clock
from matches.models.match import shown_to_all
from matches.pages.sharing import absolute
from matches.queries.lists import my_open_matches
from matches.services.commands import AlreadyDone
from matches.services.errors import CommandRefused, Refused
from matches.web.match_page import leaf
from matches.web.spoilers import hides_results
from matches.web.views.mine import my_rows
from notices.webhook_pages import views_of
from seasons.engine.season import receivers
from seasons.engine.state import SeasonSettings
from seasons.models import Member, Season
from seasons.queries import export, standing
from seasons.queries.access import note_look
from seasons.queries.export import may_read_ledger
from seasons.queries.export import statement as statement_of
from seasons.queries.news import all_news, episodes_of, latest_announcement, recap_of
from seasons.services import running, viewers
from seasons.services.invitations import claim, invited_member, note_opened, taken_by
from seasons.services.predictions import predict, predictions_of, why_not_predict
from seasons.web.extensions import waiting_for
from seasons.web.page import SeasonPage, open_season_page

_MINE = 8


@require_safe
def all_seasons(request: HttpRequest) -> HttpResponse:
    """List public seasons, the newest first; drafts for their hosts; and one's own applications."""
    page, leafing = leaf(request, standing.seasons_page)
    drafts = standing.drafts_of(request.user) if request.user.is_staff else ()
    applied = standing.applied_by(request.user)
    context = {"seasons": page.items, "drafts": drafts, "applied": applied, "hides": hides_results(request), **leafing}
    return render(request, "seasons/list.html", context)


@require_safe
def season(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one season: what is going on, standings, schedule, and the latest news."""
    return _show(request, open_season_page(request, public_id))


def _show(request: HttpRequest, page: SeasonPage, status: int = 200, **refused: Any) -> HttpResponse:
    """Render the season's page; `refused`: what was typed into the form for a gift, and why it was refused."""
    gives = page.state if page.me and page.state and page.state.settings.gifts else None
    context = page.context(
        "season",
        standings=page.cast,
        schedule=standing.schedule(page.season, with_drafts=page.viewer.sees),
        counted=standing.counted(page.season, page.cast),
        going=standing.going_on(page.season, page.state),
        news=page.news(12),
        announced=latest_announcement(page.season, page.names),
        fingerprint=export.latest(page.season),
        winners=page.winners,
        key=secrets.token_urlsafe(12),
        hosting="you host this season" if page.viewer.acts else "you observe this season" if page.viewer.sees else "",
        receivers=receivers(gives, page.me) if gives else (),
        viewers=viewers.active(page.season),
        offers=viewers.offered([page.viewer.member] if page.viewer.member else []),
        you=_you_now(page),
        watched=_watched(page),
        has=balance(gives.purses, page.me, GARNET) if gives else 0,
        **refused,
    )
    return render(request, "seasons/season.html", context, status=status)


def _you_now(page: SeasonPage) -> dict[str, Any] | None:
    """What a member of an unfinished season has to do in it and in its matches."""
    member, season = page.viewer.member, page.season
    if member is None or season.is_over:
        return None
    (waiting,) = waiting_for(page.viewer.user, [member])
    mine = my_open_matches(page.viewer.user, _MINE, shown_to_all("match__"), Q(match__in_season__season=season))
    more = {
        "matches": my_rows(page.viewer.user, mine),
        "has_death_matches": page.state is not None and page.state.settings.opponent != "none",
        "in_final": season.matches.filter(is_final=True, match__in=[each.match for each in mine]).exists(),
    }
    return waiting | more


def _watched(page: SeasonPage) -> list[Match]:
    """The running matches that a trusted viewer can see as their member does."""
    if page.viewer.watches is None:
        return []
    running = Match.objects.filter(in_season__season=page.season, status__in=Match.RUNNING)
    return list(running.filter(players__handle=page.viewer.watches.handle).order_by("pk"))


@require_safe
def statement(request: HttpRequest, public_id: str, handle: str = "") -> HttpResponse:
    """Show an account, entry by entry: a member's own, or any for hosts."""
    page = open_season_page(request, public_id)
    wanted = handle or page.me
    member = Member.objects.filter(season=page.season, handle=wanted).first() if wanted else None
    if member is None or page.state is None or not may_read_ledger(page.viewer, member.handle):
        raise Http404("no such account, or not yours")
    note_look(page.viewer)
    found = statement_of(member)
    watching = [each.user for each in viewers.active(page.season) if each.member_id == member.pk]
    context = page.context(
        "statement", member=member, has=found.has, through=found.through, lines=found.lines, watching=watching
    )
    return render(request, "seasons/statement.html", context)


@require_safe
def story(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the whole season on one page, from its beginning, with recaps of its episodes to copy."""
    page = open_season_page(request, public_id)
    news = all_news(page.season, page.names)
    episodes, _ = episodes_of(page.season, page.names)
    recaps = [
        (each, recap_of(page.season, each, absolute(reverse("matches:match", args=[each.id])), for_discord))
        for each in reversed(episodes)
        if each.settled is not None
    ]
    context = page.context(
        "story", news=news, winners=[page.people[handle] for handle in page.winners], standings=page.cast, recaps=recaps
    )
    return render(request, "seasons/story.html", context)


@require_safe
def cast(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the cast with pictures: who is in, who is in danger, how the others went out."""
    page = open_season_page(request, public_id)
    episodes, exits = episodes_of(page.season, page.names)
    context = page.context(
        "cast",
        cast=page.cast,
        faces=standing.faces(page.season),
        going=standing.going_on(page.season, page.state),
        exits=exits,
        episodes=[each for each in episodes if each.settled is not None],
        winners=page.winners,
        key=secrets.token_urlsafe(12),
    )
    return render(request, "seasons/cast.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def predictions(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the predictions and points; a POST predicts."""
    page = open_season_page(request, public_id)
    if page.state is None:
        raise Http404("not yet")
    status = 200
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method == "POST":
        number = request.POST.get("question", "")
        question = int(number) if re.fullmatch(r"\d{1,3}", number, re.ASCII) else -1
        try:
            predict(page.season, request.user, question, request.POST.get("handle", "")[:_LONGEST_KEY])
        except CommandRefused as refusal:
            messages.error(request, refusal.message)
            status = 422
        else:
            messages.success(request, "We have saved your prediction. You can change it until the question closes.")
            return redirect("seasons:predictions", public_id)
    context = page.context(
        "predictions",
        found=predictions_of(page.season, page.state, page.winners, request.user, clock.now()),
        why_not=why_not_predict(page.season, request.user) if request.user.is_authenticated else "",
        still_in=[line for line in page.cast if line.status == "in"],
    )
    return render(request, "seasons/predictions.html", context, status=status)


@require_safe
def rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the season's settings in words."""
    page = open_season_page(request, public_id)
    settings = SeasonSettings.read(page.season.settings)
    return render(request, "seasons/rules.html", page.context("rules", settings=settings))


# -- what members do on a season's page ----------------------------------------------------------------------

_LONGEST_KEY = 100


@form_login_required
@require_POST
def name_opponent(request: HttpRequest, public_id: str) -> HttpResponse:
    """Name the opponent in the Death Match, as the candidate."""
    page = open_season_page(request, public_id)
    opponent, key = request.POST.get("opponent", ""), request.POST.get("key", "")[:_LONGEST_KEY]
    try:
        running.name_opponent(page.season, request.user, opponent, key=key)
    except AlreadyDone:
        messages.info(request, "You have already named the opponent.")
    except CommandRefused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"{page.names.get(opponent, opponent)} is your opponent in the Death Match.")
    return redirect("seasons:season", public_id)


@form_login_required
@require_POST
def give(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give another member garnets. After a refusal the form comes back as typed, with the reason (422)."""
    page = open_season_page(request, public_id)
    to, typed = request.POST.get("to", "")[:_LONGEST_KEY], request.POST.get("amount", "").strip()[:_LONGEST_KEY]
    whole = re.fullmatch(r"[+-]?\d{1,12}", typed, re.ASCII)
    try:
        if rate_limits.action_rates().take(request.user.pk):
            raise CommandRefused(rate_limits.TOO_FAST, code="too_many_requests")
        if whole is None:
            raise CommandRefused("Enter a whole number of garnets, such as 2.", code="malformed", field="amount")
        running.give_garnets(page.season, request.user, to, int(typed), key=request.POST.get("key", "")[:_LONGEST_KEY])
    except AlreadyDone:
        messages.info(request, "You have already given that.")
    except CommandRefused as refusal:
        field = refusal.field if refusal.field in ("to", "amount") else ""
        return _show(request, page, 422, gift={"to": to, "amount": typed, "field": field, "error": refusal.message})
    else:
        messages.success(request, f"You gave {asset_name('garnet', int(typed))} to {page.names.get(to, to)}.")
    return redirect("seasons:season", public_id)


# -- invitations to open places of a season's cast -----------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Show the page of an invitation; a POST takes the place."""
    if (mine := taken_by(code, request.user)) and mine.season.is_public:
        return redirect(mine.season.get_absolute_url())
    member = mine or invited_member(code)
    if member is None:
        return render(request, "matches/invitation_gone.html", status=410)
    if request.method == "POST" and request.user.is_authenticated and mine is None:
        try:
            claim(code, request.user)
        except Refused as refused:
            if not taken_by(code, request.user):
                messages.error(request, refused.message)
        else:
            messages.success(request, f"You are in the cast of “{member.season.title}” as {member.handle}.")
        return redirect(request.path)
    if request.method == "GET" and mine is None:
        note_opened(code, request.user)
    context = {
        "season": member.season,
        "place": member.shown_name,
        "mine": mine,
        "has_begun": member.season.status != Season.Status.DRAFT,
    }
    return render(request, "seasons/invitation.html", context)


# -- the page of a season's webhooks, for hosts ----------------------------------------------------------


def _of_host(request: HttpRequest, public_id: str) -> tuple[Any, Any]:
    page = open_season_page(request, public_id)
    if not page.viewer.acts:
        raise Http404("no such season")
    return page, page.season


webhooks, act = views_of(_of_host, "seasons/webhooks.html")
