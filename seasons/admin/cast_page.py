"""A cast as a pasted list or a file: shown line by line as it will be added, while one types, then added at once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import unsaved
from matches.admin.names_page import read_list
from matches.engine.sentences import counted
from matches.services.errors import Refused
from seasons.models import Season
from seasons.services.cast_list import LONGEST_LIST, add_cast, read_cast

_LARGEST = 4 * LONGEST_LIST  # bytes


class CastForm(forms.Form):
    """The list, typed or as a file. After `is_valid`, `text` is what it says."""

    cast = forms.CharField(
        label="Cast",
        required=False,
        max_length=LONGEST_LIST,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "cols": 60, "autocomplete": "off", "spellcheck": "false"}),
    )
    file = forms.FileField(
        label="Or a CSV file",
        required=False,
        help_text="In UTF-8, with the same columns; a first line can name them. It is read in place of the list.",
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["text"] = cleaned.get("cast") or ""
        if (sent := cleaned.get("file")) is not None:
            cleaned["text"] = self._read(sent)
        if not cleaned["text"].strip() and not self.errors:
            self.add_error("cast", "Paste at least one member, or choose a file.")
        return cleaned

    def _read(self, sent: Any) -> str:
        if sent.size > _LARGEST:
            self.add_error("file", "The file is too large for a cast.")
            return ""
        try:
            text: str = sent.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.add_error("file", "The file is not text in UTF-8. Save it as “CSV UTF-8”.")
            return ""
        return text.replace("\x00", "")


def show(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """The page; a POST with `_check` shows what the list says, one without adds the members."""
    if season.status != Season.Status.DRAFT:
        messages.error(request, "The season has begun, and its cast is fixed.")
        return redirect("admin:seasons_season_change", season.pk)
    sent = request.method == "POST"
    typed = request.POST if sent else unsaved.take(request)
    form = CastForm(typed, request.FILES if sent else None, use_required_attribute=False)
    only_check = "_check" in request.POST
    found = read_list(form, lambda said: read_cast(season, said["text"]))
    if sent and not only_check and form.is_valid() and not found["refused"]:
        try:
            count = add_cast(season, request.user, form.cleaned_data["text"])
        except Refused as refusal:
            found["refused"] = refusal.message
        else:
            messages.success(request, f"{counted(count, 'member is', 'members are')} in the cast.")
            return redirect(reverse("admin:seasons_season_change", args=[season.pk]) + "#cast")
    context = {**model_admin.page(request, "The cast from a list", season), "season": season, **found}
    if only_check and "X-Requested-With" in request.headers:
        return render(request, "admin/matches/match/names_read.html", context)
    return render(request, "admin/seasons/season/cast_list.html", context)
