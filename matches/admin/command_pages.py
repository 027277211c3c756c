"""The pages of a command: its form, then a page that says what will happen, then the command is carried out."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from matches.admin import unsaved
from matches.admin.commands.base import Command, CommandRequest, Page, one_time_key
from matches.admin.commands.registry import COMMANDS
from matches.admin.commands.undoing import taking_back
from matches.admin.first_deadlines import first_deadlines
from matches.models import Match
from matches.services.commands import ONLY_OBSERVES, AlreadyDone, need_role
from matches.services.errors import Refused

_MICROSECOND = timedelta(microseconds=1)
_OWNERS = "Only the owner of this match can do that."
_GIVEN_BY_LINKS = frozenset({"player", "decision", "what", "question", "to"})


def command_page(model_admin: Any, request: HttpRequest, match: Match, name: str) -> HttpResponse:
    """GET shows the form; a POST shows what will happen; a POST with `_confirm` does it."""
    command = COMMANDS.get(name)
    if command is None:
        raise Http404
    role = need_role(match, request.user)
    if not command.for_role(role):
        messages.error(request, _OWNERS if role.acts else ONLY_OBSERVES)
        return redirect("admin:matches_match_change", match.pk)
    if not command.may(match):
        messages.error(request, f"“{command.label.rstrip('…')}” is not possible now: {_why_not(command, match)}.")
        return redirect("admin:matches_match_change", match.pk)
    if (typed := unsaved.take(request)) is not None:
        return _page(model_admin, request, match, command, command.form(match, request.user, typed))
    if request.method != "POST":
        form = command.form(match, request.user, initial=_initial(request))
        asks = bool(form.visible_fields()) and command.asks(match)
        return _page(model_admin, request, match, command, form, confirm=not asks, cleaned=dict(form.initial))
    form = command.form(match, request.user, request.POST)
    if not form.is_valid() or "_back" in request.POST:
        return _page(model_admin, request, match, command, form)
    if "_confirm" not in request.POST:
        return _page(model_admin, request, match, command, form, confirm=True, cleaned=form.cleaned_data)
    return _carry_out(model_admin, request, match, command, form)


def _why_not(command: Command, match: Match) -> str:
    """Why a match does not allow a command, for those who come from a page that has grown old."""
    if match.status in command.statuses and not match.is_over:
        return "what it was for is done or gone"
    return f"the match is {Match.Status(match.status).label.lower()}"


def _initial(request: HttpRequest) -> dict[str, Any]:
    return {key: value[:100] for key, value in request.GET.items() if key in _GIVEN_BY_LINKS}


def _carry_out(model_admin: Any, request: HttpRequest, match: Match, command: Command, form: Any) -> HttpResponse:
    values = {**form.cleaned_data, "expected": _expected(request)}
    try:
        answer = command.run(CommandRequest(match, request.user, values, one_time_key(request)))
    except AlreadyDone as refusal:
        messages.info(request, refusal.message)
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return _page(model_admin, request, match, command, form)
    else:
        if isinstance(answer, Page):
            context = {**model_admin.page(request, answer.title, match), "match": match, **answer.context}
            return render(request, answer.template, context)
        messages.success(request, answer)
    if not model_admin.get_queryset(request).filter(pk=match.pk).exists():
        model_admin.log_deletions(request, [match])  # its log is gone with it; the administrators' is not
        return redirect("admin:matches_match_changelist")
    return redirect("admin:matches_match_change", match.pk)


def _expected(request: HttpRequest) -> timedelta | None:
    """The deadline that the confirmation page showed, in microseconds of match time."""
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
        wanted = CommandRequest(match, request.user, cleaned or {})
        if refusal := command.refusal(wanted):
            return render(request, "admin/matches/match/command.html", {**context, "refusal": refusal})
        context["consequence"] = [*command.consequence(wanted), *filter(None, [taking_back(command.name)])]
        context["due"] = wanted.due // _MICROSECOND if command.names_deadline and wanted.due is not None else None
        if command.starts_at is not None:
            context["deadlines"] = first_deadlines(match, command.starts_at(wanted))
        # Identifies this use of the command, so that a double click or a reload does nothing twice.
        context["key"] = secrets.token_urlsafe(12)
    return render(request, "admin/matches/match/command.html", context)
