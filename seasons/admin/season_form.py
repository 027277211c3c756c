"""Making a season, and changing one that has not begun: its title, its usual hour, and its settings."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import checks, unsaved
from matches.admin.commands.base import one_time_key
from matches.admin.match_form import ConfigForm, HeadForm
from matches.engine.settings import Setting, settings_of
from matches.services.errors import Refused
from seasons.engine.settings import SeasonSettings
from seasons.models import Season
from seasons.services.drafting import change_draft, create_season


class _InsteadOfGame:
    """What `ConfigForm` asks a match type for, for the settings of a season."""

    slug = "season"
    config_type = SeasonSettings

    @property
    def settings(self) -> tuple[Setting, ...]:
        return settings_of(SeasonSettings)

    def read_config(self, raw: Mapping[str, Any]) -> SeasonSettings:
        return SeasonSettings.read(raw)


def settings_form(season: Season | None, data: Any = None) -> ConfigForm:
    """The form of a season's settings; after `is_valid`, `config` is what to store."""
    season_type: Any = _InsteadOfGame()
    return ConfigForm(season_type, season.settings if season else {}, data)


class GeneralForm(HeadForm):
    """Title, description, usual hour."""

    class Meta:
        model = Season
        fields = ["title", "description", "usual_hour", "zone"]
        widgets = {
            "title": forms.TextInput(attrs={"size": 40, "autocomplete": "off"}),
            "description": forms.Textarea(attrs={"rows": 3, "cols": 50}),
            "usual_hour": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }
        help_texts = {
            "usual_hour": "When its matches begin and their deadlines come, if you do not say otherwise. Empty: none."
        }

    zone = forms.ChoiceField(label="In this time zone", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["zone"] = self.instance.zone if self.instance.pk else ""  # the model's own default is nobody's
        self.offer_zones("zone", self.initial["zone"])

    def clean_zone(self) -> str:
        return str(self.cleaned_data["zone"]) or "UTC"


def add(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """The form of a new season; then comes its cast."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    sent = _sent(request)
    general, config = GeneralForm(sent), settings_form(None, sent)
    if request.method != "POST" or _is_wrong(general, config) or checks.is_check(request):
        return _form(model_admin, request, general, config)
    made = {"settings": config.config, "key": one_time_key(request), **general.cleaned_data}
    try:
        season = create_season(made.pop("title"), request.user, **made)
    except Refused as refusal:
        general.add_error(None, refusal.message)
        return _form(model_admin, request, general, config)
    messages.success(request, f"“{season.title}” is a draft: only its hosts see it. Now add its cast.")
    return redirect("admin:seasons_season_cast", season.pk)


def change(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """The same form for a season that has not begun."""
    if season.status != Season.Status.DRAFT:
        messages.error(request, "The season has begun, and its settings are fixed.")
        return redirect("admin:seasons_season_change", season.pk)
    sent = _sent(request)
    # A copy, because validation writes typed values into the instance, and the page shows the real season.
    general = GeneralForm(sent, instance=Season.objects.get(pk=season.pk))
    config = settings_form(season, sent)
    if request.method != "POST" or _is_wrong(general, config) or checks.is_check(request):
        return _form(model_admin, request, general, config, season)
    try:
        change_draft(season, request.user, settings=config.config, **general.cleaned_data)
    except Refused as refusal:
        general.add_error(None, refusal.message)
        return _form(model_admin, request, general, config, season)
    messages.success(request, "The settings are saved.")
    return redirect("admin:seasons_season_change", season.pk)


def _sent(request: HttpRequest) -> Any:
    """What was typed: sent now, or before the session ended."""
    return request.POST if request.method == "POST" else unsaved.take(request)


def _is_wrong(general: GeneralForm, config: ConfigForm) -> bool:
    return not (general.is_valid() & config.is_valid())  # both, so that each shows its errors


def _form(
    model_admin: Any, request: HttpRequest, general: GeneralForm, config: ConfigForm, season: Season | None = None
) -> HttpResponse:
    if checks.is_check(request):
        return checks.answer((general, config))
    changelist, page = "admin:seasons_season_changelist", "admin:seasons_season_change"
    context = {
        **model_admin.page(request, f"Settings of {season}" if season else "New season", season),
        "season": season,
        "general": general,
        "config": config,
        "wrong": request.method == "POST",
        "key": one_time_key(request) or secrets.token_urlsafe(12),
        "cancel_url": reverse(page, args=[season.pk]) if season else reverse(changelist),
    }
    return render(request, "admin/seasons/season/settings.html", context)
