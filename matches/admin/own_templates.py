"""A host's own templates: keep the settings of a match under a name, make drafts from them, rename and delete them."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from matches.admin.commands.base import one_time_key
from matches.admin.line_fields import LineField
from matches.games.registry import all_games
from matches.models import Match, OwnTemplate
from matches.services.drafts import templates
from matches.services.drafts.settings_file import BadSettings
from matches.services.errors import Refused
from matches.services.fixed_draws import fixed_draws


class NameForm(forms.Form):
    """The name of a template."""

    name = LineField(
        label="Name",
        max_length=80,
        widget=forms.TextInput(attrs={"size": 40, "autocomplete": "off"}),
        error_messages={"required": "A template needs a name."},
    )
    replace = forms.BooleanField(label="Replace my template of that name, if there is one", required=False)


def save(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """GET asks for a name, POST keeps the match's settings under it."""
    form = NameForm(request.POST or None, initial={"name": match.title[:80]}, use_required_attribute=False)
    if request.method == "POST" and form.is_valid():
        try:
            kept = templates.save_template(match, request.user, **form.cleaned_data)
        except Refused as refusal:
            form.add_error(refusal.field, refusal.message)
        else:
            messages.success(request, f"“{kept.name}” is among your templates: see “Add match”.")
            return redirect("admin:matches_match_change", match.pk)
    context = {
        **model_admin.page(request, "Save as a template", match),
        "match": match,
        "form": form,
        "left_out": [each.what for each in fixed_draws(match)],
    }
    return render(request, "admin/matches/match/template.html", context)


def show(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """One's own templates. A POST makes a draft of one, renames or deletes it."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    if request.method == "POST" and (answer := _act(request)) is not None:
        return answer
    context = {**model_admin.page(request, "My templates"), **listed(request)}
    return render(request, "admin/matches/match/templates.html", context)


def listed(request: HttpRequest) -> dict[str, Any]:
    """What the list of one's own templates needs."""
    kept = OwnTemplate.objects.filter(owner_id=request.user.pk)
    titles = {slug: game.title for slug, game in all_games().items()}
    lines = [{"template": each, "game": titles.get(each.document.get("game"), "Unknown game")} for each in kept]
    return {"own_templates": lines, "key": secrets.token_urlsafe(12)}


def _act(request: HttpRequest) -> HttpResponse | None:
    """Do what a button of the list says; None where it is refused, and the list is shown with the reason."""
    text = request.POST.get("template", "")
    pk = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
    try:
        match request.POST.get("act"):
            case "make":
                key = f"{pk}-{one_time_key(request)}"[:64]  # one page has buttons for many templates
                draft = templates.make_from_template(request.user, pk, key=key)
                messages.success(request, f"“{draft.title}” is a draft: only its hosts see it. Now add the players.")
                return redirect("admin:matches_match_change", draft.pk)
            case "rename":
                kept = templates.rename_template(request.user, pk, request.POST.get("name", ""))
                messages.success(request, f"The template is called “{kept.name}” now.")
            case "delete":
                templates.delete_template(request.user, pk)
                messages.success(request, "The template is deleted. Matches made from it stay as they are.")
            case _:
                messages.error(request, "Choose what to do with a template.")
    except BadSettings as refusal:
        messages.error(request, f"The site cannot play this template any more. {refusal.message}")
        return None
    except Refused as refusal:
        messages.error(request, refusal.message)
        return None
    return redirect("admin:matches_match_templates")
