"""The pages of a command: its form, then a page that says what will happen, then the command is carried out."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from matches.admin import unsaved
from matches.admin.commands.base import one_time_key
from matches.services.commands import ONLY_OBSERVES, AlreadyDone
from matches.services.errors import Refused
from seasons.admin.commands.base import SeasonCommand, SeasonRequest
from seasons.admin.commands.registry import COMMANDS
from seasons.models import Season, SeasonRole
from seasons.queries.standing import state_of
from seasons.services.running import host_actor

_GIVEN_BY_LINKS = frozenset({"player", "member", "match"})
_OWNERS = "Only the owner of this season can do that."


def command_page(model_admin: Any, request: HttpRequest, season: Season, name: str, role: str) -> HttpResponse:
    """GET shows the form; a POST shows what will happen; a POST with `_confirm` does it."""
    command = COMMANDS.get(name)
    if command is None:
        raise Http404
    if not command.for_role(role):
        messages.error(request, ONLY_OBSERVES if role == SeasonRole.Role.OBSERVER else _OWNERS)
        return redirect("admin:seasons_season_change", season.pk)
    if not command.suits(season, state_of(season)):
        if not _is_done(request, season):
            messages.error(request, f"“{command.label.rstrip('…')}” is not possible now.")
        return redirect("admin:seasons_season_change", season.pk)
    if (typed := unsaved.take(request)) is not None:
        return _page(model_admin, request, season, command, command.form(season, request.user, typed))
    if request.method != "POST":
        form = command.form(season, request.user, initial=_initial(request))
        asks = any(not field.is_hidden for field in form)
        return _page(model_admin, request, season, command, form, confirm=not asks)
    form = command.form(season, request.user, request.POST)
    if not form.is_valid() or "_back" in request.POST:
        return _page(model_admin, request, season, command, form)
    if "_confirm" not in request.POST:
        return _page(model_admin, request, season, command, form, confirm=True)
    return _carry_out(model_admin, request, season, command, form)


def _is_done(request: HttpRequest, season: Season) -> bool:
    """Whether this was a second click on something that is done already; then says so."""
    key = one_time_key(request)
    done = bool(key) and season.log.filter(actor=host_actor(request.user), key=key).exists()
    if done:
        messages.info(request, "That has been done already.")
    return done


def _initial(request: HttpRequest) -> dict[str, Any]:
    return {key: value[:100] for key, value in request.GET.items() if key in _GIVEN_BY_LINKS}


def _carry_out(
    model_admin: Any, request: HttpRequest, season: Season, command: SeasonCommand, form: Any
) -> HttpResponse:
    try:
        said = command.run(SeasonRequest(season, request.user, form.cleaned_data, one_time_key(request)))
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return _page(model_admin, request, season, command, form)
    else:
        messages.success(request, said)
    if not model_admin.get_queryset(request).filter(pk=season.pk).exists():
        model_admin.log_deletions(request, [season])
        return redirect("admin:seasons_season_changelist")
    return redirect("admin:seasons_season_change", season.pk)


def _page(
    model_admin: Any,
    request: HttpRequest,
    season: Season,
    command: SeasonCommand,
    form: Any,
    *,
    confirm: bool = False,
) -> HttpResponse:
    context = {
        **model_admin.page(request, command.label.rstrip("…"), season),
        "season": season,
        "command": command,
        "form": form,
        "confirm": confirm,
        "asks": any(not field.is_hidden for field in form),
    }
    if confirm:
        values = form.cleaned_data if form.is_bound else dict(form.initial)
        try:
            context["consequence"] = command.consequence(SeasonRequest(season, request.user, values))
        except Refused as refusal:  # what would be refused is refused at the field, before anybody confirms it
            form = form if form.is_bound else command.form(season, request.user, values)
            form.full_clean()
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            context |= {"form": form, "confirm": False}
        # Identifies this use of the command, so that a double click or a reload does nothing twice.
        context["key"] = secrets.token_urlsafe(12)
    return render(request, "admin/seasons/season/command.html", context)
