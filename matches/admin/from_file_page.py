"""A match's settings as a file: to keep, and to make a draft from."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.utils.text import slugify

from matches.admin.commands.base import one_time_key
from matches.models import Match
from matches.services.drafts import settings_file
from matches.services.drafts.settings_file import BadSettings
from matches.services.drafts.templates import make_from_settings
from matches.services.errors import Refused


class FileForm(forms.Form):
    """A file of settings."""

    file = forms.FileField(
        label="File of settings",
        help_text="A JSON file that was made by “Settings as a file” on a match's page, here or on another site.",
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
        error_messages={"required": "Choose a file."},
    )


def show(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """GET asks for a file; POST makes a draft from it, or says everything that is wrong with it."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    sent = request.method == "POST"
    form = FileForm(request.POST if sent else None, request.FILES if sent else None, use_required_attribute=False)
    problems: list[str] = []
    if sent and form.is_valid():
        try:
            data = form.cleaned_data["file"].read(settings_file.LARGEST + 1)
            draft = make_from_settings(request.user, settings_file.read_bytes(data), key=one_time_key(request))
        except BadSettings as refusal:
            problems = refusal.problems
        except Refused as refusal:
            problems = [refusal.message]
        else:
            messages.success(request, f"“{draft.title}” is a draft with the settings of the file. Now add the players.")
            return redirect("admin:matches_match_change", draft.pk)
    context = {
        **model_admin.page(request, "From a file"),
        "form": form,
        "problems": problems,
        "key": one_time_key(request) or secrets.token_urlsafe(12),
    }
    return render(request, "admin/matches/match/from_file.html", context)


def download(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """The file of a match's settings."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    text = json.dumps(settings_file.written(match), ensure_ascii=False, indent=2) + "\n"
    name = slugify(match.title)[:60] or "match"
    headers = {"Content-Disposition": f'attachment; filename="{name}.settings.json"'}
    return HttpResponse(text, content_type="application/json; charset=utf-8", headers=headers)
