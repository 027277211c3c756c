"""Closing a deadline early, and letting deadlines follow the civil clocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from matches.admin import formats
from matches.admin.commands.base import OPEN, Command, CommandRequest, Payload, ReasonForm, Sentences, told_to_everybody
from matches.admin.commands.moments import goes_by_days, held_to_hour, next_deadline, next_deadlines
from matches.engine.match_time import DAY
from matches.models import Match, clock
from matches.pages.durations import in_real_words
from matches.services import hosting


class CloseForm(ReasonForm):
    """What becomes of the deadlines after the one that is closed."""

    field_order = ("later", "reason")
    later = forms.ChoiceField(label="Later deadlines", required=False, widget=forms.RadioSelect)

    def prepare(self) -> None:
        hour = self.match.hour
        found = [(hosting.HOUR, f"Come earlier, but still at the usual hour ({hour})")] if hour else []
        found += [(hosting.STAY, "Stay where they are"), (hosting.EARLIER, "Come earlier by the same length")]
        self.usual = hosting.HOUR if hour and goes_by_days(self.match) else hosting.EARLIER
        self.fields["later"].choices = found  # type: ignore[attr-defined]
        self.initial.setdefault("later", self.usual)

    def clean_later(self) -> str:
        return str(self.cleaned_data["later"] or self.usual)


def _close_words(request: CommandRequest) -> list[str]:
    match, now, due = request.match, clock.now(), request.due
    at = match.next_deadline_at
    if at is None or due is None:
        return ["There is no deadline to close."]
    early = max(at - now, timedelta())
    said = [
        f"The deadline of {formats.instant(at)} passes now, {formats.span(early)} early.",
        "Players who wanted to act until then no longer can. What is due at that deadline is settled at once.",
    ]
    then = match.clock.jumped(now, due)
    if request.values["later"] == hosting.STAY:
        said.append("Every later deadline stays where it is.")
        then = then.held(now, early * match.speed)
    elif request.values["later"] == hosting.HOUR:
        said.append(f"The next one comes at the usual hour, {match.hour}, as early as that allows.")
        said.append("Later ones follow it.")
        then = held_to_hour(match, then, due + DAY)
    else:
        said.append(f"Every later deadline comes {formats.span(early)} earlier, too.")
    said += next_deadlines(match, then, without=due) if request.values["later"] != hosting.HOUR else []
    if example := then.instant(due + DAY):
        said.append(
            f"For example: what comes {in_real_words(DAY, match.speed)} later is then {formats.instant(example)}."
        )
    return [*said, told_to_everybody(request)]


def _close(request: CommandRequest) -> str:
    expected: timedelta | None = request.values.get("expected")
    reason, later = request.values["reason"], request.values["later"]
    hosting.close_deadline(request.match, request.host, reason, expected=expected, later=later)
    request.match.refresh_from_db()
    return "The deadline is closed." + next_deadline(request.match)


# -- the civil clocks ------------------------------------------------------------------------------


def _change(match: Match) -> Any:
    return hosting.change_ahead(match, timezone.get_current_timezone_name(), clock.now())


def _follow_words(request: CommandRequest) -> list[str]:
    match, zone, shift = request.match, timezone.get_current_timezone_name(), _change(request.match)
    if shift is None:
        return ["There is no change of the clocks to follow."]
    later = "later" if shift.by > timedelta() else "earlier"
    return [
        f"The clocks in {zone} change {formats.instant(shift.at)}.",
        f"Deadlines after that keep their time of day there: by UTC they come {formats.span(abs(shift.by))} {later}.",
        *next_deadlines(match, replace(match.clock, shift=shift)),
        told_to_everybody(request),
    ]


def _follow(request: CommandRequest) -> str:
    zone, reason = timezone.get_current_timezone_name(), request.values["reason"]
    hosting.follow_clocks(request.match, request.host, zone, reason, key=request.key)
    request.match.refresh_from_db()
    return "Deadlines follow the clocks." + next_deadline(request.match)


CLOSE = Command(
    "close",
    "Close the deadline early…",
    "gavel",
    (OPEN,),
    _close_words,
    _close,
    CloseForm,
    danger=True,
    names_deadline=True,
)
FOLLOW = Command(
    "follow",
    "Follow the change of the clocks…",
    "clock",
    (OPEN,),
    _follow_words,
    _follow,
    ReasonForm,
    suits=lambda match: _change(match) is not None,
)


def _outage(payload: Payload) -> str:
    since, until = (formats.instant(datetime.fromisoformat(payload[name])) for name in ("since", "until"))
    return f"from {since} until {until}"


SENTENCES: Sentences = {
    "close_deadline": lambda payload: "Closed the deadline early",
    "follow_clocks": lambda payload: (
        f"Deadlines follow the clocks of {payload['zone']}, {formats.instant(datetime.fromisoformat(payload['at']))}"
    ),
    "clocks_changed": lambda payload: "The clocks changed, and deadlines kept their time of day",
    "outage": lambda payload: (
        f"The site did not work {_outage(payload)}: moved every deadline by {formats.span(payload['by'])}"
    ),
    "outage_start": lambda payload: (
        f"The site did not work {_outage(payload)}: put off the start to "
        f"{formats.instant(datetime.fromisoformat(payload['starts_at']))}"
    ),
}
