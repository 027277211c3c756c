"""Commands to pause, resume and extend a match."""

from datetime import datetime, timedelta
from typing import Any

from django import forms

from matches.admin import fields, formats
from matches.admin.commands.base import (
    OPEN,
    PAUSED,
    Command,
    CommandRequest,
    ReasonForm,
    refused_at_its_field,
    told_at,
    told_to_everybody,
)
from matches.admin.commands.moments import (
    AT,
    MomentForm,
    goes_by_days,
    held_to_hour,
    next_deadline,
    next_deadlines,
    oddity,
    offered,
)
from matches.engine.match_time import spell_told
from matches.models import Match, clock
from matches.pages.texts import in_real_words, in_round_words
from matches.services import hosting

_TYPED = (AT, "At a time I enter")


# -- pause ---------------------------------------------------------------------------------------------------


def _check(cleaned: dict[str, Any]) -> dict[str, Any]:
    """Return the cleaned data, after checking that a match can be paused until the chosen time."""
    if moment := cleaned.get("moment"):
        with refused_at_its_field():
            hosting.check_resumption(moment, clock.now())
    return cleaned


class PauseForm(MomentForm, ReasonForm):
    """When the pause ends."""

    usual = "host"
    field_order = ("when", "at", "reason")

    def prepare(self) -> None:
        super().prepare()
        self.fields["when"].label = "Until when"

    def choices(self) -> list[tuple[str, str]]:
        said = f"A host resumes it, or it resumes by itself after {hosting.LONGEST_PAUSE.days} days"
        return [("host", said), *_at_the_hour(self.match), _TYPED]

    def clean(self) -> dict[str, Any]:
        return _check(super().clean())


def _at_the_hour(match: Match) -> list[tuple[str, str]]:
    if not match.hour:
        return []
    return [offered(match.hour.after(clock.now()), "By itself at the next usual hour: {}")]


def _pause_words(request: CommandRequest) -> list[str]:
    now, until = clock.now(), request.values.get("moment")
    said = ["The match's clock stops. Until the match resumes, players cannot act and nothing closes."]
    if until:
        said.append(f"It resumes by itself on {formats.instant(until)}, unless a host resumes it earlier.")
        stopped = request.match.clock.stopped(now)
        said += [*oddity(request.match, until), *next_deadlines(request.match, stopped.started(until))]
    else:
        latest = formats.instant(now + hosting.LONGEST_PAUSE)
        said.append(f"It resumes when a host says so, or by itself on {latest} at the latest. You can postpone that.")
        if at := request.match.next_deadline_at:
            left = in_round_words(max(at - now, timedelta()))
            said.append(f"The next deadline, {formats.instant(at)}, will come {left} after the match resumes.")
    return [*said, told_to_everybody(request)]


def _pause(request: CommandRequest) -> str:
    reason, until = request.values["reason"], request.values["moment"]
    hosting.pause(request.match, request.host, reason, until=until, key=request.key)
    return "The match is paused." + (f" It resumes by itself on {formats.instant(until)}." if until else "")


# -- resume --------------------------------------------------------------------------------------------------

_NOW, _TO_HOUR = "now", "to_hour"


class ResumeForm(MomentForm):
    """When the match resumes."""

    usual = _NOW

    def choices(self) -> list[tuple[str, str]]:
        found = [(_NOW, "Now")]
        if self.match.hour:
            said = f"Now, and the next deadline comes at the usual hour ({self.match.hour})"
            found += [(_TO_HOUR, said), *_at_the_hour(self.match)]
        return [*found, _TYPED]

    def clean(self) -> dict[str, Any]:
        return _check(super().clean())


def _resume_words(request: CommandRequest) -> list[str]:
    match, now = request.match, clock.now()
    if at := request.values.get("moment"):
        return [
            f"The match stays paused and resumes by itself on {formats.instant(at)}.",
            *oddity(match, at),
            *next_deadlines(match, match.clock.started(at)),
            "Everybody hears about it.",
        ]
    then = match.clock.started(now)
    if request.values.get("when") == _TO_HOUR and request.due is not None:
        then = held_to_hour(match, then, request.due)
        said = "Players can act again at once. The clock waits so that the next deadline comes at the usual hour."
    else:
        said = "The clock resumes where it stopped, and players can act again."
    return [said, *next_deadlines(match, then), "Everybody hears about it."]


def _resume(request: CommandRequest) -> str:
    match, host, at = request.match, request.host, request.values.get("moment")
    if at:
        hosting.resume_at(match, host, at, key=request.key)
        return f"The match resumes by itself on {formats.instant(at)}."
    hosting.resume(match, host, to_hour=request.values.get("when") == _TO_HOUR, key=request.key)
    match.refresh_from_db()
    return "The match resumes." + next_deadline(match)


# -- extend --------------------------------------------------------------------------------------------------

_BY = "by"


class ExtendForm(MomentForm, ReasonForm):
    """How long to extend, or until when."""

    usual = _BY
    field_order = ("when", "by", "at", "reason")
    by = forms.CharField(
        label="Extend by",
        max_length=40,
        initial="2h",
        required=False,
        widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off", "data-chooses": _BY}),
    )

    def prepare(self) -> None:
        super().prepare()
        speed = self.match.speed
        fast = f" of match time, which runs {speed} times as fast as real time" if speed > 1 else ""
        due = self.match.next_deadline_at
        self.fields["when"].label = "The next deadline" + (f", now {formats.instant(due)}" if due else "")
        self.fields[
            "by"
        ].help_text = f"For example 2h, 90m, 1d or 1d12h{fast}. At most {hosting.LONGEST_EXTENSION.days} days."
        if self.match.hour and goes_by_days(self.match):
            self.initial["when"] = self.choices()[0][0]

    def choices(self) -> list[tuple[str, str]]:
        due, hour = self.match.next_deadline_at, self.match.hour
        at_hour = [offered(hour.after(due), "Comes at the next usual hour: {}")] if due and hour else []
        return [*at_hour, (_BY, "Comes later by this much"), (AT, "Comes at a time I enter")]

    def clean_by(self) -> str | timedelta:
        text = str(self.cleaned_data["by"])
        if self.data.get("when", _BY) not in ("", _BY) or (self.data.get("at") and not text):
            return text
        if not text:
            raise forms.ValidationError("Enter by how long, such as 2h.")
        return fields.read_span(text)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("moment") and cleaned.get("by") not in ("", self.fields["by"].initial):
            other = "You entered how much later but chose something else. Choose “Comes later by this much”."
            self.add_error("by", other)
        if self.errors:
            return cleaned
        until, due = cleaned["moment"], self.match.next_deadline_at
        with refused_at_its_field():
            if until is None:
                hosting.check_extension(cleaned["by"])
            elif due is not None:
                hosting.check_extension(until - due, "at")
        return cleaned if until is None else {**cleaned, "by": None}


def _extend_words(request: CommandRequest) -> list[str]:
    match, now, until = request.match, clock.now(), request.values["moment"]
    by: timedelta = request.values["by"] or timedelta()
    said = f"Every deadline comes {in_real_words(by, match.speed)} later."
    if until is not None and request.due is not None:
        by = match.clock.hold_until(request.due, until)
        said = f"The next deadline comes on {formats.instant(until)}, and later ones move by the same amount."
    before = f"If you change nothing, the next deadline comes on {formats.instant(match.next_deadline_at)}."
    return [
        said,
        *oddity(match, until),
        *next_deadlines(match, match.clock.held(now, by)),
        *([before] if match.next_deadline_at else []),
        "Players can still act meanwhile.",
        told_to_everybody(request),
    ]


def _extend(request: CommandRequest) -> str:
    values = request.values
    until: datetime | None = values["moment"]
    by, expected = values["by"] if until is None else None, values.get("expected")
    key, reason = request.key, values["reason"]
    hosting.extend(request.match, request.host, by, reason, until=until, expected=expected, key=key)
    request.match.refresh_from_db()
    return "Extended." + next_deadline(request.match)


PAUSE = Command(
    "pause",
    "Pause…",
    "pause",
    (OPEN,),
    _pause_words,
    _pause,
    PauseForm,
    said={
        "pause": lambda payload: (
            "Paused the match" + (f" until {_instant(payload['until'])}" if "until" in payload else "")
        )
    },
    often=True,
    history={"pause": lambda match, payload, name: "paused the match"},
    undo=hosting.Undo(
        hosting.take_back_pause,
        "the pause",
        then="The match resumes as if it had not been paused",
        instead="Resume the match instead.",
    ),
)
RESUME = Command(
    "resume",
    "Resume…",
    "next",
    (PAUSED,),
    _resume_words,
    _resume,
    ResumeForm,
    asks=lambda match: bool(match.usual_hour),
    said={
        "resume": lambda payload: "The match resumed by itself" if "at" in payload else "Resumed the match",
    },
    often=True,
    history={
        "resume": lambda match, payload, name: "resumed the match",
        "resume_at": lambda match, payload, name: f"chose when the match resumes: {told_at(payload['at'])}",
    },
    never={
        "resume": "Players can act at once, so you cannot take it back. Pause again instead.",
        "resume_at": "You cannot take it back, but you can choose another time.",
    },
)
EXTEND = Command(
    "extend",
    "Extend or close…",
    "clock",
    (OPEN,),
    _extend_words,
    _extend,
    ExtendForm,
    act="extend",
    names_deadline=True,
    suits=lambda match: match.next_deadline_at is not None,
    often=True,
    history={
        "extend": lambda match, payload, name: (
            f"moved every deadline by {spell_told(timedelta(seconds=payload['by'] / match.speed))}"
        )
    },
    undo=hosting.Undo(
        hosting.take_back_extension,
        "the extension",
        then="Every deadline goes back to where it was before the extension",
        instead="Close early instead.",
    ),
)


def _instant(text: str) -> str:
    return formats.instant(datetime.fromisoformat(text))
