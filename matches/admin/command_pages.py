"""The pages of a command: its form, then what will come of it in words, then it is done."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from matches.admin.commands import COMMANDS, Command
from matches.admin.given import Given
from matches.models import Match
from matches.services import hosting
from matches.services.commands import AlreadyDone
from matches.services.errors import Refused

_MICROSECOND = timedelta(microseconds=1)


def command_page(model_admin: Any, request: HttpRequest, match: Match, name: str) -> HttpResponse:
    """GET asks; a POST shows the consequence; a POST with `_confirm` does it."""
    command = COMMANDS.get(name)
    if command is None:
        raise Http404
    if not command.may(match):
        label = Match.Status(match.status).label.lower()
        messages.error(request, f"“{command.label.rstrip('…')}” is not possible now: the match is {label}.")
        return redirect("admin:matches_match_change", match.pk)
    if request.method != "POST":
        form = command.form(match, request.user, initial=_initial(request))
        asks = bool(form.fields)
        return _page(model_admin, request, match, command, form, confirm=not asks, cleaned={})
    form = command.form(match, request.user, request.POST)
    if not form.is_valid() or "_back" in request.POST:
        return _page(model_admin, request, match, command, form)
    if "_confirm" not in request.POST:
        return _page(model_admin, request, match, command, form, confirm=True, cleaned=form.cleaned_data)
    return _carry_out(model_admin, request, match, command, form)


def _initial(request: HttpRequest) -> dict[str, Any]:
    return {key: value[:100] for key, value in request.GET.items() if key in ("player", "decision")}


def _carry_out(model_admin: Any, request: HttpRequest, match: Match, command: Command, form: Any) -> HttpResponse:
    cleaned = {**form.cleaned_data, "expected": _expected(request)}
    given = Given(match, request.user, cleaned, one_time_key(request))
    try:
        if command.name == "peek":
            return _peek(model_admin, request, match, cleaned)
        told = command.run(given)
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return _page(model_admin, request, match, command, form)
    else:
        messages.success(request, told)
    if not model_admin.get_queryset(request).filter(pk=match.pk).exists():
        return redirect("admin:matches_match_changelist")
    return redirect("admin:matches_match_change", match.pk)


def one_time_key(request: HttpRequest) -> str:
    """What names this one sending of a form, as the page made it; empty for none."""
    key = request.POST.get("key", "")[:64]
    return key if key.isprintable() else ""


def _expected(request: HttpRequest) -> timedelta | None:
    """The deadline that the confirmation page spoke of, in microseconds of match time."""
    text = request.POST.get("due", "")
    return int(text) * _MICROSECOND if text.isascii() and text.isdecimal() and len(text) < 18 else None


def _page(
    model_admin: Any,
    request: HttpRequest,
    match: Match,
    command: Command,
    form: Any,
    *,
    confirm: bool = False,
    cleaned: dict[str, Any] | None = None,
) -> HttpResponse:
    context = {
        **model_admin.page(request, command.label.rstrip("…"), match),
        "match": match,
        "command": command,
        "form": form,
        "confirm": confirm,
    }
    if confirm:
        given = Given(match, request.user, cleaned or {})
        context["consequence"] = command.consequence(given)
        context["due"] = given.due // _MICROSECOND if command.name == "close" and given.due is not None else None
        # Names this one giving of the command: a double click or a reload of the answer does nothing twice.
        context["key"] = secrets.token_urlsafe(12)
    return render(request, "admin/matches/match/command.html", context)


def _peek(model_admin: Any, request: HttpRequest, match: Match, cleaned: dict[str, Any]) -> HttpResponse:
    """What is sealed is shown in this one answer, and stands in no address and no history."""
    found = hosting.peek(match, request.user, cleaned["player"], cleaned["reason"])
    plain = msgspec.to_builtins(found)
    rows = list(plain.items()) if isinstance(plain, dict) else ([("submission", plain)] if plain is not None else [])
    context = {
        **model_admin.page(request, f"What {cleaned['player'].handle} submitted", match),
        "match": match,
        "player": cleaned["player"],
        "rows": rows,
    }
    return render(request, "admin/matches/match/peeked.html", context)
