"""Forms to make a season and to edit a draft: title, usual hour, settings, and the cast as a table or a pasted list."""

import secrets
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import formset_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import sent_forms
from matches.admin.commands.base import one_time_key
from matches.admin.draft_pages import list_page
from matches.admin.match_form import ConfigForm, HeadForm
from matches.admin.players_table import NamesTable, PlayerRow, as_typed
from matches.engine.sentences import counted, joined
from matches.engine.settings import Setting, settings_of
from matches.services.errors import Refused
from matches.services.places import Names
from seasons.engine.state import SeasonSettings
from seasons.models import Season
from seasons.services.cast import LONGEST_LIST, add_cast, read_cast
from seasons.services.drafts import FIXED, OUTDATED, change_draft, create_season, host_names_of, mark_of_settings

# -- title, usual hour and settings --------------------------------------------------------------------------


class _InsteadOfGame:
    """Stands in for a match type, so that `ConfigForm` can edit the settings of a season."""

    slug = "season"
    config_type = SeasonSettings

    @property
    def settings(self) -> tuple[Setting, ...]:
        return settings_of(SeasonSettings)

    def read_config(self, raw: Mapping[str, Any]) -> SeasonSettings:
        return SeasonSettings.read(raw)


def settings_form(season: Season | None, data: Any = None) -> ConfigForm:
    """Return the form of a season's settings; after `is_valid`, `config` is what to store."""
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
            "usual_hour": "When matches begin and deadlines fall, unless you say otherwise. Leave it empty for none."
        }

    zone = forms.ChoiceField(label="In this time zone", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # the model's default was not chosen by anybody
        self.initial["zone"] = self.instance.zone if self.instance.pk else ""
        self.offer_zones("zone", self.initial["zone"])

    def clean_zone(self) -> str:
        return str(self.cleaned_data["zone"]) or "UTC"


def add(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """Show the form of a new season, then go on to its cast."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    return _edit(model_admin, request, None)


def change(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """Show the form of a draft's settings."""
    if season.status != Season.Status.DRAFT:
        messages.error(request, FIXED)
        return redirect("admin:seasons_season_change", season.pk)
    return _edit(model_admin, request, season)


def as_of(request: HttpRequest, now: str, *, outdated: bool) -> str:
    """Return the mark for the hidden field of a form: the one sent with it, or, for a new or outdated form, `now`."""
    return now if outdated else str(request.POST.get(sent_forms.FIELD, now))


def why_refused(refusal: Refused, differing: Iterable[str]) -> str:
    """Return why a form is not saved; if others have changed something, also what the form would replace."""
    names = list(differing) if refusal.code == OUTDATED else []
    if not names:
        return refusal.message
    return (
        f"{refusal.message} Check it first: saving it now replaces what is stored for {joined(names)}. To see and keep "
        f"that, open this page again."
    )


def _edit(model_admin: Any, request: HttpRequest, season: Season | None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    # A copy: validation writes typed values into the instance, and the page shows the stored season.
    general = GeneralForm(sent, instance=Season.objects.get(pk=season.pk) if season else None)
    config = settings_form(season, sent)
    is_right = sent is not None and general.is_valid() & config.is_valid()  # `&`, so that both show their errors
    if not is_right or sent_forms.is_check(request):
        return _form(model_admin, request, general, config, season)
    chosen = {"settings": config.config, **general.cleaned_data}
    try:
        if season is not None:
            change_draft(season, request.user, seen=request.POST.get(sent_forms.FIELD, ""), **chosen)
            messages.success(request, "You have saved the settings.")
            return redirect("admin:seasons_season_change", season.pk)
        made = create_season(chosen.pop("title"), request.user, key=one_time_key(request), **chosen)
    except Refused as refusal:
        differing = [f"“{form[name].label}”" for form in (general, config) for name in form.changed_data]
        general.add_error(None, why_refused(refusal, differing))
        return _form(model_admin, request, general, config, season, outdated=refusal.code == OUTDATED)
    messages.success(request, f"“{made.title}” is a draft that only its hosts can see. Now add its cast.")
    return redirect("admin:seasons_season_cast", made.pk)


def _form(
    model_admin: Any,
    request: HttpRequest,
    general: GeneralForm,
    config: ConfigForm,
    season: Season | None = None,
    *,
    outdated: bool = False,
) -> HttpResponse:
    """The form's page. `outdated`: it says that others have changed something meanwhile; from then on that is known."""
    if sent_forms.is_check(request):
        return sent_forms.answer((general, config))
    changelist, page = "admin:seasons_season_changelist", "admin:seasons_season_change"
    context = {
        **model_admin.page(request, f"Settings of {season}" if season else "New season", season),
        "general": general,
        "config": config,
        "wrong": request.method == "POST",
        "as_of": as_of(request, mark_of_settings(season), outdated=outdated) if season else "",
        "key": one_time_key(request) or secrets.token_urlsafe(12),
        "cancel_url": reverse(page, args=[season.pk]) if season else reverse(changelist),
    }
    return render(request, "admin/seasons/season/settings.html", context)


# -- the table of a draft's cast -----------------------------------------------------------------------------

_SPARE = 2
_ANY_TEAM: Any = SimpleNamespace(rules=SimpleNamespace(teams=()))
"""Stands in for a match without teams in the row of a member."""


class MemberRow(PlayerRow):
    """One member: a person, a bot, or an open place (only a handle). Any word can be a team."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, match=_ANY_TEAM, **kwargs)
        team = forms.CharField(
            label="Team",
            required=False,
            max_length=30,
            widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
        )
        self.fields["team"] = team
        self.order_fields(["player", "position", "person", "is_bot", "handle", "name", "team", "garnets", "priority"])


class MemberRows(NamesTable):
    """The members of a season."""

    season: Season

    def other_names(self) -> Iterable[Names]:
        return host_names_of(self.season)


def cast_table(season: Season, data: Any = None) -> Any:
    """Return the formset of a season's members, with some spare rows."""
    members = list(season.cast.select_related("user").order_by("position", "pk"))
    made = formset_factory(MemberRow, formset=MemberRows, extra=_SPARE, max_num=200, absolute_max=300)
    formset: Any = made(data, initial=[as_typed(member) for member in members], prefix="cast")
    formset.season = season
    formset.shown = len(formset.forms)
    by_pk = {str(member.pk): member for member in members}
    for form in formset.forms:
        form.listed = by_pk.get(str(form["player"].value()))
    return formset


# -- the cast as a pasted list, shown line by line while one types, then added at once -----------------------


class CastForm(forms.Form):
    """The pasted list."""

    cast = forms.CharField(
        label="Cast",
        max_length=LONGEST_LIST,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "cols": 60, "autocomplete": "off", "spellcheck": "false"}),
        required=False,
    )


def show_cast(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """Show the page; a POST with `_check` previews the list, one without adds the members."""
    if season.status != Season.Status.DRAFT:
        messages.error(request, FIXED)
        return redirect("admin:seasons_season_change", season.pk)

    def add_all(said: dict[str, Any]) -> str:
        count = add_cast(season, request.user, said["cast"])
        return f"Added {counted(count, 'member')} to the cast."

    form = CastForm(request.POST or None, use_required_attribute=False)
    return list_page(
        *(model_admin, request, season, form, lambda said: read_cast(season, said["cast"]), add_all),
        title="Add the cast from a list",
        template="admin/seasons/season/cast_list.html",
        anchor="#cast",
    )
