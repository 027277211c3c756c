"""Pages for people outside the cast: applying to a season, and watching as a member's trusted viewer."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.sign_in import form_login_required
from matches.models import clock
from matches.pages import rendering
from matches.pages.replays import to_look_at
from matches.services.errors import CommandRefused, Refused
from matches.web.match_page import open_match_page
from seasons.models import Application, Call
from seasons.queries import standing
from seasons.services import applications, viewers
from seasons.web.extensions import seen_through
from seasons.web.page import open_season_page

# -- applying ------------------------------------------------------------------------------------------------


class AnswersForm(forms.Form):
    """A field for the answer to each question; the service checks them."""

    def __init__(self, call: Call, mine: Application | None, data: Any = None) -> None:
        super().__init__(data)
        known = dict(mine.answers) if mine else {}
        attrs = {"rows": 4, "maxlength": applications.LONGEST_ANSWER}
        for question in call.questions:
            self.fields[applications.field_of(question)] = forms.CharField(
                label=question,
                initial=known.get(question, ""),
                widget=forms.Textarea(attrs=attrs),
                error_messages={"required": applications.ANSWER_IT},
            )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def apply(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the page for applications; a POST applies, changes the answers or (`withdraw`) withdraws."""
    call = Call.objects.select_related("season").filter(season__public_id=public_id, closes_at__isnull=False).first()
    if call is None:
        raise Http404("this season asks for no applications")
    season, user = call.season, request.user
    mine = season.applications.select_related("member").filter(user=user.pk).first() if user.is_authenticated else None
    if season.is_public and mine is None:
        return redirect(season.get_absolute_url())
    if request.method == "POST" and not user.is_authenticated:
        return redirect_to_login(request.path)
    if "withdraw" in request.POST:
        try:
            applications.withdraw(season, user)
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            gave_up = mine is not None and mine.has_place
            messages.success(request, f"You have {'given up your place' if gave_up else 'withdrawn your application'}.")
        return redirect("seasons:apply", public_id)
    form = AnswersForm(call, mine, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            applications.apply(season, user, form.cleaned_data)
        except Refused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, refused.message)
        else:
            messages.success(request, "We have your application. You can change it until applications close.")
            return redirect("seasons:apply", public_id)
    is_open = applications.is_open(call, clock.now())
    has_played = season.matches.filter(opened_at__isnull=False).exists()
    status = mine.status if mine else Application.Status.WITHDRAWN
    why_not = applications.why_not_apply(season, user) if user.is_authenticated else ""
    context = {
        "season": season,
        "call": call,
        "hosts": standing.hosts_of(season),
        "mine": mine,
        "is_open": is_open,
        "why_not": why_not,
        "writes": is_open and not why_not and status in ("waiting", "alternate", "withdrawn"),
        "withdraws": status in ("waiting", "alternate", "chosen") and not has_played,
        "has_played": has_played,
        "form": form,
        "now": clock.now(),
    }
    return render(request, "seasons/apply.html", context, status=422 if form.is_bound and form.errors else 200)


# -- trusted viewers -----------------------------------------------------------------------------------------


@require_safe
@login_required
def their_view(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a match as the member sees it whose trusted viewer this is; without any controls."""
    page = open_match_page(request, public_id)
    player = seen_through(page.viewer)
    if player is None:
        raise Http404("nobody's trusted viewer here")
    seen = rendering.public_parts(page.position, page.now) | rendering.private_parts(page.position, player, page.now)
    parts = {name: to_look_at(seen[name]) for name in _SHOWN}
    context = page.context(VIEW, parts=parts, me=page.shown.people.get(player.handle))
    return render(request, "seasons/their_view.html", context)


VIEW = "their_view"
_SHOWN = ("status", "purse", "board", "decisions", "panel", "more", "players", "private_feed")


@require_POST
@form_login_required
def act(request: HttpRequest, public_id: str, token: str, act: str) -> HttpResponse:
    """Accept or decline a trusted viewer, as the member; or stop one, as the member, the viewer or a host."""
    page = open_season_page(request, public_id)
    try:
        if act == "stop":
            viewer = viewers.stop(page.season, request.user, token)
            messages.success(request, f"{viewer.user} no longer sees what {viewer.member.shown_name} sees.")
        elif act in ("accept", "decline"):
            viewer = viewers.answer(page.season, request.user, token, accepts=act == "accept")
            said = "sees what you see from now on" if act == "accept" else "does not see what you see"
            messages.success(request, f"{viewer.user} {said}.")
        else:
            raise Http404("no such button")
    except CommandRefused as refusal:
        messages.error(request, refusal.message)
    return redirect("seasons:season", public_id)
