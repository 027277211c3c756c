"""Pausing all of one's matches at once, and letting them go on: a form, what will happen in each, and what was done."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from matches.admin import formats
from matches.admin.commands.base import ReasonForm, one_time_key
from matches.admin.commands.moments import (
    AT,
    MomentForm,
    check_pause,
    held_to_hour,
    known_deadlines,
    next_deadlines,
)
from matches.models import Match, clock
from matches.services import hosting

_NOW, _TO_HOUR = "now", "to_hour"


class PauseAllForm(MomentForm, ReasonForm):
    """Until when, and why; the same for all."""

    usual = "host"
    field_order = ("when", "at", "reason")

    def choices(self) -> list[tuple[str, str]]:
        said = f"When a host resumes them, by themselves after {hosting.LONGEST_PAUSE.days} days at the latest"
        return [("host", said), (AT, "By themselves, at a time that I type")]

    def clean(self) -> dict[str, Any]:
        return check_pause(self, super().clean())


class ResumeAllForm(MomentForm):
    """Which of them, and when."""

    usual = _NOW
    field_order = ("matches", "when", "at")
    matches = forms.MultipleChoiceField(
        label="Matches",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one.",
            "invalid_choice": "One of these is not paused any more. Look again.",
        },
    )

    def prepare(self) -> None:
        super().prepare()
        paused = hosting.going_on(self.host).filter(status=Match.Status.PAUSED)[: hosting.MOST]
        self.fields["matches"].choices = [(str(match.pk), _paused_in_words(match)) for match in paused]  # type: ignore[attr-defined]
        together = [str(match.pk) for match in paused if hosting.paused_together(match)]
        self.initial["matches"] = together or [str(match.pk) for match in paused]

    def choices(self) -> list[tuple[str, str]]:
        to_hour = "Now, and the next deadline comes at the usual hour of each match that has one"
        return [(_NOW, "Now"), (_TO_HOUR, to_hour), (AT, "By themselves, at a time that I type")]

    def clean(self) -> dict[str, Any]:
        return check_pause(self, super().clean())


def _paused_in_words(match: Match) -> str:
    return f"{match}, paused since {formats.instant(match.paused_at)}" if match.paused_at else str(match)


class _Line(NamedTuple):
    """A match, and what will happen or has happened to it. `why_not`: why nothing does."""

    match: Match
    said: str = ""
    why_not: str = ""


class AllOfMine(NamedTuple):
    """One of the two pages."""

    title: str
    done: str
    nothing: str
    form: type[MomentForm]
    lines: Callable[[Any, dict[str, Any]], list[_Line]]
    run: Callable[[Any, dict[str, Any], str], list[hosting.Done]]
    status: str


def page(model_admin: Any, request: HttpRequest, what: AllOfMine) -> HttpResponse:
    """`what` is `PAUSE` or `RESUME`. GET shows the form; a POST what will happen; a POST with `_confirm` does it."""
    if not model_admin.has_change_permission(request):
        raise PermissionDenied
    sent = request.method == "POST"
    form = what.form(Match(), request.user, request.POST if sent else None)
    context = {**model_admin.page(request, what.title), "what": what, "form": form}
    if not hosting.going_on(request.user).filter(status=what.status).exists() and "_confirm" not in request.POST:
        context["nothing"] = True
    elif sent and "_back" not in request.POST and form.is_valid():
        if "_confirm" in request.POST:
            found = what.run(request.user, form.cleaned_data, one_time_key(request))
            context["done"] = [each.match for each in found if not each.refused]
            context["refused"] = [_Line(each.match, why_not=each.refused) for each in found if each.refused]
        else:
            context |= {"lines": what.lines(request.user, form.cleaned_data), "key": secrets.token_urlsafe(12)}
            context["goes_on"] = _goes_on(what, form.cleaned_data)
    return render(request, "admin/matches/match/all_of_mine.html", context)


def _goes_on(what: AllOfMine, values: dict[str, Any]) -> str:
    if at := values["moment"]:
        return f"They go on by themselves {formats.instant(at)}, unless a host resumes them earlier."
    if what is RESUME:
        return ""
    latest = formats.instant(clock.now() + hosting.LONGEST_PAUSE)
    return f"They go on when a host resumes them, and by themselves {latest} at the latest."


# -- pause -----------------------------------------------------------------------------------------


def _will_pause(host: Any, values: dict[str, Any]) -> list[_Line]:
    return [_will_be_paused(match, values["moment"]) for match in hosting.going_on(host)[: hosting.MOST]]


def _will_be_paused(match: Match, until: datetime | None) -> _Line:
    if match.status != Match.Status.OPEN:
        return _Line(match, why_not=f"It is {match.get_status_display().lower()}.")
    now, due = clock.now(), match.next_deadline_at
    if until is not None:
        return _Line(match, " ".join(next_deadlines(match, match.clock.stopped(now).started(until))))
    if due is None:
        return _Line(match, "It has no deadline.")
    return _Line(match, f"The next deadline comes {formats.span(max(due - now, timedelta()))} after it goes on.")


def _pause(host: Any, values: dict[str, Any], key: str) -> list[hosting.Done]:
    return hosting.pause_all(host, values["reason"], until=values["moment"], key=key)


# -- resume ----------------------------------------------------------------------------------------


def _will_resume(host: Any, values: dict[str, Any]) -> list[_Line]:
    chosen = hosting.going_on(host).filter(pk__in=values["matches"])
    return [_will_be_resumed(match, values) for match in chosen]


def _will_be_resumed(match: Match, values: dict[str, Any]) -> _Line:
    then = match.clock.started(values["moment"] or clock.now())
    if values["when"] == _TO_HOUR and (due := known_deadlines(match)[:1]):
        then = held_to_hour(match, then, due[0])
    return _Line(match, " ".join(next_deadlines(match, then)))


def _resume(host: Any, values: dict[str, Any], key: str) -> list[hosting.Done]:
    to_hour = values["when"] == _TO_HOUR
    return hosting.resume_all(host, map(int, values["matches"]), at=values["moment"], to_hour=to_hour, key=key)


PAUSE = AllOfMine(
    "Pause all my matches",
    "Paused",
    "None of the matches that you host is running.",
    PauseAllForm,
    _will_pause,
    _pause,
    Match.Status.OPEN,
)
RESUME = AllOfMine(
    "Resume my matches",
    "They go on",
    "None of the matches that you host is paused.",
    ResumeAllForm,
    _will_resume,
    _resume,
    Match.Status.PAUSED,
)
