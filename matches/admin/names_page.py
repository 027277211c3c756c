"""A pasted list of names: shown line by line as it will be added, while one types, then added at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import unsaved
from matches.engine.sentences import counted
from matches.models import Match
from matches.services.drafts.pasted import LONGEST_LIST, MOST_NAMES, add_names, read_names
from matches.services.errors import Refused


class NamesForm(forms.Form):
    """The list, and what becomes of people with an account."""

    names = forms.CharField(
        label="Names",
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 10, "cols": 50, "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": "Paste at least one name."},
    )
    invite = forms.BooleanField(label="Send people with an account a link, too, instead of a place", required=False)


def show(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """The page; a POST with `_check` shows what the list says, one without adds the names."""
    if match.status not in Match.BEFORE:
        messages.error(request, "The match has begun; its players are fixed.")
        return redirect("admin:matches_match_change", match.pk)
    form = NamesForm(request.POST or unsaved.take(request), use_required_attribute=False)
    found = read_list(form, lambda said: read_names(match, said["names"], invite=said["invite"]))
    if request.method == "POST" and "_check" not in request.POST and form.is_valid() and not found["refused"]:
        try:
            count = add_names(match, request.user, form.cleaned_data["names"], invite=form.cleaned_data["invite"])
        except Refused as refusal:
            found["refused"] = refusal.message
        else:
            messages.success(request, f"{counted(count, 'name is', 'names are')} in the list of players.")
            return redirect(reverse("admin:matches_match_change", args=[match.pk]) + "#players")
    context = {**model_admin.page(request, "Paste names", match), "match": match, "most": MOST_NAMES, **found}
    only_lines = "_check" in request.POST and "X-Requested-With" in request.headers
    page = "names_read" if only_lines else "names"
    return render(request, f"admin/matches/match/{page}.html", context)


def read_list(form: forms.Form, read: Callable[[dict[str, Any]], Sequence[Any]]) -> dict[str, Any]:
    """What a list that was sent says, for its page: its lines, how many of them can be used and how many cannot, or why
    none can be read."""
    lines: Sequence[Any] = ()
    refused = ""
    if form.is_bound and form.is_valid():
        try:
            lines = read(form.cleaned_data)
        except Refused as refusal:
            refused = refusal.message
    wrong = sum(bool(line.problem) for line in lines)
    return {"form": form, "lines": lines, "refused": refused, "wrong": wrong, "right": len(lines) - wrong}
