"""Pages to create a match, change a draft, paste a list of names, and duplicate a match."""

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import preview, sent_forms
from matches.admin.commands.base import Sentences, one_time_key
from matches.admin.formats import in_a_row
from matches.admin.match_form import ConfigForm, GeneralForm
from matches.admin.sent_forms import unjudged
from matches.engine.game import AnyGame
from matches.engine.sentences import counted
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import Match
from matches.services.commands import Payload
from matches.services.creation import INVITED, NOBODY, SEATED, create_match, duplicate, update_draft
from matches.services.draws import fixed_draws
from matches.services.errors import CommandRefused, Refused
from matches.services.joining import PLAYERS_FIXED
from matches.services.pasted_names import LONGEST_LIST, MOST_NAMES, add_names, read_names


def add(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """Choose a game, then fill in its form."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    try:
        game = game_of((request.POST or request.GET).get("game", ""))
    except UnknownGame:
        return _choose(model_admin, request)
    if not request.POST:
        preset = request.GET.get("preset", "")
        usual = {"places": game.made_for(preset)[1], "joining": Match.Joining.INVITED}
        config = ConfigForm(game, game.presets.get(preset, {}))
        return _form(model_admin, request, game, GeneralForm(initial=usual), config)
    general, config = GeneralForm(request.POST), ConfigForm(game, {}, request.POST)
    if (shown := _not_to_be_saved(model_admin, request, game, general, config)) is not None:
        return shown
    try:
        match = create_match(
            game.slug, config=config.config, by=request.user, key=one_time_key(request), **general.cleaned_data
        )
    except Refused as refusal:
        general.add_error(None, refusal.message)
        return _form(model_admin, request, game, general, config)
    messages.success(request, f"“{match.title}” is a draft that only its hosts see. Now add the players.")
    return redirect("admin:matches_match_change", match.pk)


def change_settings(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """Show the settings form of an existing draft."""
    if match.status != Match.Status.DRAFT:
        messages.error(request, "You can change settings only in drafts. To change an upcoming match, unpublish it.")
        return redirect("admin:matches_match_change", match.pk)
    game = match.rules
    typed = request.POST if request.method == "POST" else None
    if typed is None:
        return _form(model_admin, request, game, GeneralForm(instance=match), ConfigForm(game, match.config), match)
    # A copy: validation writes typed values into the instance, and the page shows the stored match.
    general = GeneralForm(typed, instance=Match(game=match.game, created_at=match.created_at))
    config = ConfigForm(game, match.config, typed)
    if (shown := _not_to_be_saved(model_admin, request, game, general, config, match)) is not None:
        return shown

    def save() -> None:
        update_draft(match, request.user, config=config.config, **general.cleaned_data)

    try:
        outdated = sent_forms.unless_by_others(request, match, _ALSO_IN_THE_FORM, save)
    except CommandRefused as refusal:
        general.add_error(None, refusal.message)
        return _form(model_admin, request, game, general, config, match)
    if outdated:
        general.add_error(None, outdated)
        return _form(model_admin, request, game, general, config, match, outdated=True)
    messages.success(request, "You have saved the settings.")
    return redirect("admin:matches_match_change", match.pk)


def _not_to_be_saved(
    model_admin: Any,
    request: HttpRequest,
    game: AnyGame,
    general: GeneralForm,
    config: ConfigForm,
    match: Match | None = None,
) -> HttpResponse | None:
    """The answer if the form is to be checked, previewed, shown afresh or corrected; None if it can be saved."""
    if sent_forms.is_check(request):
        return sent_forms.answer((general, config))
    if "_preview" in request.POST and config.is_valid():
        return preview.show_typed(request, _as_typed(general, match or Match(game=game.slug)), config.config)
    if "_update" in request.POST or not (general.is_valid() & config.is_valid()):
        return _form(model_admin, request, game, general, config, match)
    return None


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
    """The form's page. `outdated`: it says that others have changed something meanwhile; from then on that is known."""
    updating = "_update" in request.POST
    wrong = request.method == "POST" and not updating
    if updating:
        # The host asked for a fresh form, without errors; what they typed stays.
        general, config = unjudged(general), unjudged(config)
    context = {
        **model_admin.page(request, f"Settings of {match}" if match else f"New match of {game.title}", match),
        "game": game,
        "general": general,
        "config": config,
        "wrong": wrong,
        "key": one_time_key(request) or secrets.token_urlsafe(12),
        "as_of": sent_forms.as_of(match, None if outdated else general.data) if match else None,
        "cancel_url": reverse("admin:matches_match_change", args=[match.pk])
        if match
        else reverse("admin:matches_match_changelist"),
    }
    return render(request, "admin/matches/match/settings.html", context)


_USUAL = "as usual"


def _updated(payload: Payload) -> str:
    changes = dict(payload["changes"])
    before, after = changes.pop("config", ({}, {}))
    settings = {key: (before.get(key, _USUAL), after.get(key, _USUAL)) for key in {**before, **after}}
    return f"Changed the draft ({in_a_row({**changes, **settings})})"


SENTENCES: Sentences = {"update": _updated}

_ALSO_IN_THE_FORM: Sentences = {
    **SENTENCES,
    "close_when_sent": lambda payload: (
        f"Let deadlines pass {'as soon as everybody has submitted' if payload['on'] else 'at their set times'}"
    ),
    "publish": lambda payload: (
        f"Published the match (places still open at the start: {Match.OpenPlaces(payload['open_places']).label})"
    ),
}
"""Commands that change fields of the settings form."""


# -- a pasted list of names, shown line by line while one types, then added at once --------------------------


class NamesForm(forms.Form):
    """The list, and what happens to people with an account."""

    names = forms.CharField(
        label="Names",
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 10, "cols": 50, "autocomplete": "off", "spellcheck": "false"}),
        required=False,
    )
    invite = forms.BooleanField(
        label="Send a link to people with an account too, instead of giving them a place at once", required=False
    )


def show_names(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """Show the page; a POST with `_check` previews the list, one without adds the names."""
    if match.status not in Match.BEFORE:
        messages.error(request, PLAYERS_FIXED)
        return redirect("admin:matches_match_change", match.pk)

    def add(said: dict[str, Any]) -> str:
        count = add_names(match, request.user, said["names"], invite=said["invite"])
        return f"{counted(count, 'name is', 'names are')} now in the list of players."

    return list_page(
        *(model_admin, request, match, NamesForm(request.POST or None, use_required_attribute=False)),
        *(lambda said: read_names(match, said["names"], invite=said["invite"]), add),
        title="Paste names",
        template="admin/matches/match/names.html",
        anchor="#players",
        most=MOST_NAMES,
    )


def list_page(
    model_admin: Any,
    request: HttpRequest,
    subject: Any,
    form: forms.Form,
    read: Callable[[dict[str, Any]], Sequence[Any]],
    add: Callable[[dict[str, Any]], str],
    *,
    title: str,
    template: str,
    anchor: str,
    **more: Any,
) -> HttpResponse:
    """Render the page of a pasted list, of names for a match or of a season's cast. A POST with `_check` shows what its
    lines mean, how many can be used, or why it cannot be read; one without adds them."""
    lines: Sequence[Any] = ()
    refused = ""
    only_check, is_right = "_check" in request.POST, form.is_bound and form.is_valid()
    try:
        lines = read(form.cleaned_data) if is_right else ()
        if is_right and request.method == "POST" and not only_check:
            messages.success(request, add(form.cleaned_data))
            return model_admin.to("change", subject.pk, anchor=anchor)  # type: ignore[no-any-return]
    except Refused as refusal:
        refused = refusal.message
    wrong = sum(bool(line.problem) for line in lines)
    context = {
        **model_admin.page(request, title, subject),
        "form": form,
        "lines": lines,
        "refused": refused,
        "wrong": wrong,
        "right": len(lines) - wrong,
        **more,
    }
    if only_check and request.htmx:  # type: ignore[attr-defined]
        return render(request, "admin/matches/match/names_read.html", context)
    return render(request, template, context)


# -- duplicating a match --------------------------------------------------------------------------------------


class DuplicateForm(forms.Form):
    """What happens to the people who played."""

    people = forms.ChoiceField(
        label="The people who played",
        choices=[
            (SEATED, "play again: they get their places and a notice at once"),
            (INVITED, "are invited: their places are open, with new links to send"),
            (NOBODY, "are left out, and so are bots: the new match has no players yet"),
        ],
        widget=forms.RadioSelect,
    )


def show_duplicate(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """Ask on GET what happens to the players; on POST make the draft and go to it."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    usual = NOBODY if match.joining in Match.OPEN_TO_ALL else SEATED
    form = DuplicateForm(request.POST or None, initial={"people": usual}, use_required_attribute=False)
    if request.method == "POST" and form.is_valid():
        try:
            draft = duplicate(match, request.user, people=form.cleaned_data["people"], key=one_time_key(request))
        except Refused as refusal:
            form.add_error(None, refusal.message)
        else:
            said = f"“{draft.title}” is a new draft with the settings of “{match.title}”. Only its hosts can see it."
            messages.success(request, said)
            return redirect("admin:matches_match_change", draft.pk)
    context = {
        **model_admin.page(request, "Duplicate", match),
        "form": form,
        "copied": _copied(match),
        "key": one_time_key(request) or secrets.token_urlsafe(12),
    }
    return render(request, "admin/matches/match/duplicate.html", context)


def _copied(match: Match) -> list[str]:
    """What the new draft gets, in sentences."""
    players = list(match.players.all())
    bots = sum(player.is_bot for player in players)
    said = ["Settings, title with the next number, description, hosts, who may join, and the choices about talk."]
    if players:
        are_bots = f", {counted(bots, 'bot')} among them" if bots else ""
        said.append(
            f"{counted(len(players), 'place')}{are_bots}, with handles, teams, order, and what each player brings."
        )
    said.append("The site draws everything again. It copies nothing that was drawn, sealed or played.")
    said += [f"Not copied, because a host set it in place of a draw: {each.what}." for each in fixed_draws(match)]
    return said
