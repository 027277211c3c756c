"""Stopping, starting and moving a match's clock."""

from __future__ import annotations

from datetime import timedelta

from django import forms

from matches.admin import formats
from matches.admin.commands.base import (
    OPEN,
    PAUSED,
    Command,
    CommandRequest,
    ReasonForm,
    Sentences,
    told_to_everybody,
)
from matches.admin.config_fields import sentence
from matches.engine.match_time import parse_typed
from matches.models import clock
from matches.pages.durations import in_real_words
from matches.services import hosting
from matches.services.errors import CommandRefused


class ExtendForm(ReasonForm):
    """How long to extend."""

    field_order = ("by", "reason")
    by = forms.CharField(
        label="Extend by",
        max_length=40,
        initial="2h",
        widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
        error_messages={"required": "Say by how long, such as 2h."},
    )

    def prepare(self) -> None:
        speed = self.match.speed
        fast = f" of match time, which runs {speed} times as fast" if speed > 1 else ""
        self.fields[
            "by"
        ].help_text = f"Such as 2h, 90m, 1d or 1d12h{fast}; at most {hosting.LONGEST_EXTENSION.days} days."

    def clean_by(self) -> timedelta:
        try:
            by = parse_typed(self.cleaned_data["by"])
        except ValueError as error:
            raise forms.ValidationError(sentence(str(error))) from None
        try:
            hosting.check_extension(by)
        except CommandRefused as refusal:
            raise forms.ValidationError(refusal.message) from None
        return by


def _pause_words(request: CommandRequest) -> list[str]:
    said = ["The match's clock stands still. Nothing is taken from players and nothing closes until you resume it."]
    if at := request.match.next_deadline_at:
        left = formats.span(max(at - clock.now(), timedelta()))
        said.append(f"The next deadline, {formats.instant(at)}, will come {left} after you resume.")
    return [*said, told_to_everybody(request)]


def _pause(request: CommandRequest) -> str:
    hosting.pause(request.match, request.host, request.values["reason"])
    return "The match is paused."


def _resume_words(request: CommandRequest) -> list[str]:
    said = ["The clock goes on from where it stood, and players can act again."]
    if (due := request.due) and (then := request.match.clock.started(clock.now()).instant(due)):
        said.append(f"The next deadline is then {formats.instant(then)}.")
    return [*said, "Everybody is told."]


def _resume(request: CommandRequest) -> str:
    hosting.resume(request.match, request.host)
    return "The match goes on."


def _extend_words(request: CommandRequest) -> list[str]:
    match, by, then = request.match, request.values["by"], ""
    if (due := request.due) and (at := match.clock.held(clock.now(), by).instant(due)):
        then = f"; the next one is then {formats.instant(at)} instead of {formats.instant(match.next_deadline_at)}"
    return [
        f"Every deadline comes {in_real_words(by, match.speed)} later{then}.",
        "Players can go on acting meanwhile.",
        told_to_everybody(request),
    ]


def _extend(request: CommandRequest) -> str:
    hosting.extend(request.match, request.host, request.values["by"], request.values["reason"], key=request.key)
    request.match.refresh_from_db()
    at = request.match.next_deadline_at
    return "Extended." + (f" The next deadline is {formats.instant(at)}." if at else "")


def _close_words(request: CommandRequest) -> list[str]:
    at = request.match.next_deadline_at
    if at is None:
        return ["There is no deadline to close."]
    early = formats.span(max(at - clock.now(), timedelta()))
    return [
        f"The deadline of {formats.instant(at)} passes now, {early} early.",
        "Players who wanted to act until then no longer can. What is due at that deadline is settled at once.",
        f"Every later deadline comes {early} earlier, too. This cannot be undone.",
        told_to_everybody(request),
    ]


def _close(request: CommandRequest) -> str:
    expected: timedelta | None = request.values.get("expected")
    hosting.close_deadline(request.match, request.host, request.values["reason"], expected=expected)
    return "The deadline is closed."


PAUSE = Command("pause", "Pause…", "pause", (OPEN,), _pause_words, _pause, ReasonForm)
RESUME = Command("resume", "Resume", "clock", (PAUSED,), _resume_words, _resume)
EXTEND = Command("extend", "Extend…", "clock", (OPEN,), _extend_words, _extend, ExtendForm)
CLOSE = Command(
    "close",
    "Close the deadline early…",
    "gavel",
    (OPEN,),
    _close_words,
    _close,
    ReasonForm,
    danger=True,
    names_deadline=True,
)

SENTENCES: Sentences = {
    "pause": lambda payload: "Paused the match",
    "resume": lambda payload: "Resumed the match",
    "extend": lambda payload: f"Moved every deadline by {formats.span(payload['by'])}",
    "close_deadline": lambda payload: "Closed the deadline early",
}
