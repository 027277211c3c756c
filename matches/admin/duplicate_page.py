"""The page that makes a new draft like a match."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from matches.admin.commands.base import one_time_key
from matches.engine.sentences import counted
from matches.models import Match
from matches.services.drafts.duplicates import INVITED, NOBODY, SEATED, duplicate
from matches.services.errors import Refused
from matches.services.fixed_draws import fixed_draws


class DuplicateForm(forms.Form):
    """What becomes of the people who played."""

    people = forms.ChoiceField(
        label="The people who played",
        choices=[
            (SEATED, "play again: they get their places at once and are told"),
            (INVITED, "are invited: their places are open, with new links to send"),
            (NOBODY, "are left out, and so are bots: the new match has no players yet"),
        ],
        widget=forms.RadioSelect,
    )


def show(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """GET asks what becomes of the players; POST makes the draft and goes to it."""
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
            messages.success(request, f"“{draft.title}” is a draft like “{match.title}”: only its hosts see it.")
            return redirect("admin:matches_match_change", draft.pk)
    context = {
        **model_admin.page(request, "Duplicate", match),
        "match": match,
        "form": form,
        "copied": _copied(match),
        "key": one_time_key(request) or secrets.token_urlsafe(12),
    }
    return render(request, "admin/matches/match/duplicate.html", context)


def _copied(match: Match) -> list[str]:
    """What the new draft has, in sentences."""
    players = list(match.players.all())
    bots = sum(player.is_bot for player in players)
    said = ["Settings, title with the next number, description, hosts, who may join, and what is chosen about talk."]
    if players:
        are_bots = f", {counted(bots, 'bot')} among them" if bots else ""
        said.append(
            f"{counted(len(players), 'place')}{are_bots}, with handles, teams, order, and what each player brings."
        )
    said.append("The new match draws everything again: nothing that was drawn, sealed or played is copied.")
    said += [f"What was set in place of a draw is left out: {each.what}." for each in fixed_draws(match)]
    return said
