"""The pages of a match's rehearsals: the form that asks for one, those that are kept, and the report of each."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from matches.admin import formats
from matches.admin.commands.base import BEFORE, one_time_key
from matches.admin.commands.publishing import PublishForm
from matches.admin.rehearsals.report import ReportPage
from matches.engine.rehearsal_report import MATCHES
from matches.models import Match, Rehearsal
from matches.pages.durations import in_real_words
from matches.services.commands import is_host
from matches.services.errors import Refused
from matches.services.rehearsals import KEPT, ask, changes_since, report_in


class RehearseForm(PublishForm):
    """The start that the deadlines are counted from: the planned one, where there is one."""

    open_places = None  # type: ignore[assignment]  # stand-ins play in them


def show_all(model_admin: Any, request: HttpRequest, match: Match) -> HttpResponse:
    """The form and the rehearsals that are kept; a POST asks for one, and leads to where its report will be."""
    may = match.status in BEFORE and is_host(match, request.user)
    sent = request.method == "POST"
    if sent and not may:
        messages.error(request, "Only a match that has not begun can be rehearsed.")
        return redirect("admin:matches_match_change", match.pk)
    form = RehearseForm(match, request.user, request.POST if sent else None) if may else None
    if sent and form is not None and form.is_valid():
        try:
            made = ask(match, request.user, form.cleaned_data["starts_at"], key=one_time_key(request))
        except Refused as refusal:
            form.add_error(None, refusal.message)
        else:
            return redirect("admin:matches_match_rehearsal", match.pk, made.pk)
    context = {
        **model_admin.page(request, "Rehearsals", match),
        "match": match,
        "form": form,
        "key": secrets.token_urlsafe(12),
        "rehearsals": [_line(rehearsal, match) for rehearsal in match.rehearsals.select_related("host")],
        "kept": KEPT,
    }
    return render(request, "admin/matches/match/rehearsals.html", context)


def _line(rehearsal: Rehearsal, match: Match) -> dict[str, Any]:
    report = report_in(rehearsal)
    return {
        "pk": rehearsal.pk,
        "made": formats.local(rehearsal.made_at),
        "host": rehearsal.host,
        "begins": formats.instant(rehearsal.begins_at),
        "length": "" if report is None else in_real_words(report.played.length, match.speed),
        "is_done": report is not None,
        "problem": rehearsal.problem,
        "changed": bool(changes_since(rehearsal, match)),
    }


def _asked_for(match: Match, number: int) -> Rehearsal:
    found = match.rehearsals.select_related("host").filter(pk=number).first()
    if found is None:
        raise Http404("That rehearsal is not kept any more.")
    return found


def show_report(model_admin: Any, request: HttpRequest, match: Match, number: int) -> HttpResponse:
    """The report of one rehearsal; without one, how far it is (with `?state=1` as JSON), or why there is none."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    rehearsal = _asked_for(match, number)
    if "state" in request.GET:
        return JsonResponse({"waits": rehearsal.is_waiting, "played": rehearsal.progress, "of": MATCHES})
    report = report_in(rehearsal)
    context = {
        **model_admin.page(request, f"Rehearsal of {formats.local(rehearsal.made_at)}", match),
        "match": match,
        "rehearsal": rehearsal,
        "may_rehearse": match.status in BEFORE and is_host(match, request.user),
        "starts_at": f"{timezone.localtime(rehearsal.begins_at):%Y-%m-%dT%H:%M}",
        "key": secrets.token_urlsafe(12),
    }
    if report is None:
        return render(request, "admin/matches/match/rehearsal_waiting.html", {**context, "of": MATCHES})
    return render(
        request, "admin/matches/match/rehearsal.html", {**context, "report": ReportPage(rehearsal, match, report)}
    )
