"""Creating a match and changing a draft: choose a game, then a form made from its settings."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import checks, meanwhile, preview, unsaved
from matches.admin.commands.base import Payload, Sentences, one_time_key
from matches.admin.differences import changed_fields
from matches.admin.match_form import ConfigForm, GeneralForm
from matches.engine.game import AnyGame
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import Match
from matches.services.creation import create_match, update_draft
from matches.services.errors import CommandRefused, Refused


def add(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """Choose a game, then fill in its form."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    typed = request.POST or unsaved.take(request)
    try:
        game = game_of((typed or request.GET).get("game", ""))
    except UnknownGame:
        return _choose(model_admin, request)
    if not typed:
        preset = game.presets.get(request.GET.get("preset", ""), {})
        return _form(model_admin, request, game, GeneralForm(initial=_usual(game)), ConfigForm(game, preset))
    general, config = GeneralForm(typed), ConfigForm(game, {}, typed)
    if checks.is_check(request):
        return checks.answer((general, config))
    if not request.POST:
        return _form(model_admin, request, game, general, config)
    if "_preview" in request.POST and config.is_valid():
        return preview.show_typed(request, _as_typed(general, Match(game=game.slug)), config.config)
    if "_update" in request.POST or not (general.is_valid() & config.is_valid()):
        return _form(model_admin, request, game, general, config)
    try:
        match = create_match(
            game.slug, config=config.config, by=request.user, key=one_time_key(request), **general.cleaned_data
        )
    except Refused as refusal:
        general.add_error(None, refusal.message)
        return _form(model_admin, request, game, general, config)
    messages.success(request, f"“{match.title}” is a draft: only its hosts see it. Now add the players.")
    return redirect("admin:matches_match_change", match.pk)


def _usual(game: AnyGame) -> dict[str, Any]:
    return {"places": game.sizes.usual[1], "joining": Match.Joining.INVITED}


def change_settings(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """The same form for an existing draft."""
    if match.status != Match.Status.DRAFT:
        messages.error(request, "Settings can be changed in drafts only. Unpublish a coming match to change it.")
        return redirect("admin:matches_match_change", match.pk)
    game = match.rules
    typed = request.POST if request.method == "POST" else unsaved.take(request)
    if typed is None:
        return _form(model_admin, request, game, GeneralForm(instance=match), ConfigForm(game, match.config), match)
    # A copy, because validation writes typed values into the instance, and the page shows the real match.
    general = GeneralForm(typed, instance=Match(game=match.game, created_at=match.created_at))
    config = ConfigForm(game, match.config, typed)
    if checks.is_check(request):
        return checks.answer((general, config))
    if request.method != "POST":
        return _form(model_admin, request, game, general, config, match)
    if "_preview" in request.POST and config.is_valid():
        return preview.show_typed(request, _as_typed(general, match), config.config)
    if "_update" in request.POST or not (general.is_valid() & config.is_valid()):
        return _form(model_admin, request, game, general, config, match)

    def save() -> None:
        update_draft(match, request.user, config=config.config, **general.cleaned_data)

    try:
        outdated = meanwhile.unless_by_others(request, match, SENTENCES, save)
    except CommandRefused as refusal:
        general.add_error(None, refusal.message)
        return _form(model_admin, request, game, general, config, match)
    if outdated:
        general.add_error(None, outdated)
        return _form(model_admin, request, game, general, config, match, outdated=True)
    messages.success(request, "The settings are saved.")
    return redirect("admin:matches_match_change", match.pk)


def _as_typed(general: GeneralForm, match: Match) -> Match:
    """An unsaved match with the typed values that are valid."""
    general.full_clean()
    typed: Match = general.instance
    typed.pk, typed.public_id, typed.game, typed.speed = match.pk, match.public_id, match.game, match.speed
    return typed


def _choose(model_admin: Any, request: HttpRequest) -> HttpResponse:
    context = {**model_admin.page(request, "Which game?"), "games": all_games().values()}
    return render(request, "admin/matches/match/choose_game.html", context)


def _form(
    model_admin: Any,
    request: HttpRequest,
    game: AnyGame,
    general: GeneralForm,
    config: ConfigForm,
    match: Match | None = None,
    *,
    outdated: bool = False,
) -> HttpResponse:
    """`outdated`: others have changed something meanwhile, and the page says so; from now on that is known."""
    updating = "_update" in request.POST
    wrong = request.method == "POST" and not updating
    if updating:
        # The host asked for a fresh form, not for errors; what they typed stays.
        general, config = _unjudged(general), _unjudged(config)
    context = {
        **model_admin.page(request, f"Settings of {match}" if match else f"New match of {game.title}", match),
        "game": game,
        "match": match,
        "general": general,
        "config": config,
        "wrong": wrong,
        "key": one_time_key(request) or secrets.token_urlsafe(12),
        "as_of": meanwhile.as_of(match, None if outdated else general.data) if match else None,
        "cancel_url": reverse("admin:matches_match_change", args=[match.pk])
        if match
        else reverse("admin:matches_match_changelist"),
    }
    return render(request, "admin/matches/match/settings.html", context)


def _unjudged(form: Any) -> Any:
    form.full_clean()
    form.errors.clear()
    return form


def _updated(payload: Payload) -> str:
    return f"Changed the draft: {changed_fields(payload['changes'])}"


SENTENCES: Sentences = {"create": lambda payload: "Created the match", "update": _updated}
