"""Amending the settings of a running match: the form, then a page that says what will happen, then the change."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from matches.admin import formats, preview
from matches.admin.commands.base import BEGUN, Payload, Sentences, one_time_key
from matches.admin.commands.undoing import taking_back
from matches.admin.fields import reason_field
from matches.admin.formats import differences, in_lines
from matches.admin.match_form import ConfigForm
from matches.admin.sent_forms import unjudged
from matches.engine.errors import ConfigError
from matches.models import Match
from matches.queries.matches import Position
from matches.services.amending import CHANGED, Amendment, amend_match, amendment_of, mark_of, note_of, of_amendment
from matches.services.commands import AlreadyDone
from matches.services.errors import Refused

_MOST_DIFFERENCES = 20
_MOST_IN_A_ROW = 6


class WhyForm(forms.Form):
    """The reason, shown in the log."""

    use_required_attribute = False
    reason = reason_field(
        "Everybody reads it at once, with your name. What you changed becomes public when the match is over.",
        required="Say why the settings change. Everybody can read the reason.",
    )


class AmendForm(ConfigForm):
    """The settings that can be amended. After `is_valid`, `amendment` is the change."""

    def __init__(self, match: Match, data: Any = None) -> None:
        self.match = match
        self.amendment: Amendment | None = None
        super().__init__(match.rules, match.config, data, keys=match.rules.amendments.keys)
        for field in self.fields.values():
            if (show := getattr(field, "show_running", None)) is not None:
                show(Position(match).public)

    @property
    def wanted(self) -> dict[str, Any]:
        """Key -> what to set, None for the default."""
        return {key: self.config.get(key) for key in self.fields}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.errors:
            return cleaned
        try:
            self.amendment = amendment_of(self.match, self.wanted)
        except ConfigError as error:
            self.refuse(error)
        except Refused as refusal:
            self.add_error(None, refusal.message)
        return cleaned


def may_amend(match: Match) -> bool:
    """Whether any setting of this match can be amended now."""
    return match.status in BEGUN and bool(match.rules.amendments.keys)


def change_running(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """GET shows the form; a POST what will happen; a POST with `_confirm` does it."""
    if not may_amend(match):
        messages.error(request, _why_not(match))
        return redirect("admin:matches_match_change", match.pk)
    if request.method != "POST":
        return _page(model_admin, request, match, AmendForm(match), WhyForm())
    settings, why = AmendForm(match, request.POST), WhyForm(request.POST)
    if "_update" in request.POST or "_back" in request.POST:
        # The host asked for a fresh form, not for errors.
        return _page(model_admin, request, match, unjudged(settings), unjudged(why))
    if "_preview" in request.POST and settings.is_valid() and settings.amendment is not None:
        return preview.show_typed(request, match, settings.amendment.config)
    if not (settings.is_valid() & why.is_valid()):
        return _page(model_admin, request, match, settings, why)
    if settings.amendment is None or not settings.amendment.changes:
        settings.add_error(None, "These settings are already in force: nothing would change.")
        return _page(model_admin, request, match, settings, why)
    if "_confirm" not in request.POST:
        if request.POST.get("seen", "") not in ("", mark_of(match)):
            settings.add_error(None, CHANGED)
            return _page(model_admin, request, match, settings, why)
        return _page(model_admin, request, match, settings, why, consequence=_words(match, settings.amendment, why))
    return _carry_out(model_admin, request, match, settings, why)


def _why_not(match: Match) -> str:
    if match.status in BEGUN:
        return f"In {match.rules.title} you cannot change any settings once the match has begun."
    label = Match.Status(match.status).label.lower()
    return f"You can amend settings only while a match is running. This match is {label}."


def _carry_out(model_admin: Any, request: HttpRequest, match: Match, settings: AmendForm, why: WhyForm) -> HttpResponse:
    try:
        seen = request.POST.get("seen", "")
        amend_match(
            match, request.user, settings.wanted, why.cleaned_data["reason"], key=one_time_key(request), seen=seen
        )
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except ConfigError as error:  # something has begun since the form was shown
        settings.refuse(error)
        return _page(model_admin, request, match, settings, why)
    except Refused as refusal:
        settings.add_error(None, refusal.message)
        return _page(model_admin, request, match, settings, why)
    else:
        messages.success(request, "Settings amended.")
    return redirect("admin:matches_match_change", match.pk)


def _words(match: Match, amendment: Amendment, why: WhyForm) -> list[str]:
    """What will happen, in sentences."""
    labels = {setting.key: setting.label for setting in match.rules.settings}
    changes = {labels[key]: change for key, change in amendment.changes.items()}
    said = differences(changes, _MOST_DIFFERENCES)
    said += _new_deadline(match, amendment)
    step = amendment.step
    if step.public or step.touched or step.announcements:
        said.append("Some of this changes what players see now. Their pages show it at once.")
        said += in_lines(match, of_amendment(match, amendment))
    else:
        said.append("Players see none of this until the match itself makes it public.")
    said.append("Everybody reads at once that you amended the settings, but not what you changed.")
    said.append(f"Your reason: “{why.cleaned_data['reason']}”.")
    return [*said, taking_back("amend")]


def _new_deadline(match: Match, amendment: Amendment) -> list[str]:
    at = Position(match).instant(amendment.due)
    if at is None or at == match.next_deadline_at:
        return []
    return [f"The next deadline will then be {formats.instant(at)}."]


def _page(
    model_admin: Any,
    request: HttpRequest,
    match: Match,
    settings: AmendForm,
    why: WhyForm,
    *,
    consequence: list[str] | None = None,
) -> HttpResponse:
    context = {
        **model_admin.page(request, "Amend settings", match),
        "game": match.rules,
        "config": settings,
        "why": why,
        "note": _note(match),
        "wrong": bool(settings.errors or why.errors),
        "consequence": consequence,
        "seen": mark_of(match),
        # Identifies this amendment, so that a double click or a reload does nothing twice.
        "key": secrets.token_urlsafe(12),
    }
    return render(request, "admin/matches/match/amend.html", context)


def _note(match: Match) -> str:
    try:
        return note_of(match)
    except Refused as refusal:
        return refusal.message


def _amended(payload: Payload) -> str:
    return f"Amended the settings ({'; '.join(differences(payload['changes'], _MOST_IN_A_ROW))})"


SENTENCES: Sentences = {"amend": _amended}
