"""What the commands about a match's clock share: a form for a time, and the deadlines that would follow."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from accounts.forms import NO_MOMENT
from matches.admin import formats
from matches.admin.commands.base import (
    CommandForm,
)
from matches.admin.fields import moment_field
from matches.models import Match, clock
from matches.models.clock import MatchClock
from matches.queries.matches import Position
from matches.services import outages

AT = "at"
_MOST_SHOWN = 4
_NO_LONGER = "The deadlines have changed since you opened this page, so this choice is gone. Choose again."


class MomentForm(CommandForm):
    """A choice of times, one of which can be typed in the host's zone.

    Subclasses fill `choices()`. The value of a choice is its instant, if it has one, so that what is confirmed is what
    was shown; `moment` in the cleaned data is that instant or the typed one, or None for other choices.
    """

    usual = ""
    """The default choice."""

    when = forms.ChoiceField(
        label="When",
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _NO_LONGER},
    )
    at = moment_field(required=False, attrs={"data-chooses": AT})

    def prepare(self) -> None:
        choices = self.choices()
        self.fields["when"].choices = choices  # type: ignore[attr-defined]
        self.initial.setdefault("when", self.usual or choices[0][0])
        zone = timezone.get_current_timezone_name()
        now = clock.now()
        self.fields["at"].label = f"The time, in your time zone ({zone})"
        self.fields["at"].help_text = f"Only for “{dict(choices)[AT]}”. It is {formats.instant(now)} now."

    def choices(self) -> list[tuple[str, str]]:
        """Return the choices as (value, label), the usual one first."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        typed, when = cleaned.get("at"), cleaned.get("when") or ""
        if typed and when in ("", self.usual):
            when = AT  # typing a time chooses it
        if typed and when != AT:
            self.add_error("at", f"You entered a time but chose something else. Choose “{dict(self.choices())[AT]}”.")
        if when == AT and typed is None:
            self.add_error("at", NO_MOMENT)
        cleaned["when"] = when or self.usual
        cleaned["moment"] = _in_utc(typed) if typed and when == AT else _instant(when)
        return cleaned


def offered(at: datetime, words: str) -> tuple[str, str]:
    """Return the choice of an instant."""
    return at.isoformat(), words.format(formats.instant(at))


def goes_by_days(match: Match) -> bool:
    """Whether the next deadline is that of a day or more, unlike in a match of one evening with a usual hour."""
    at = match.next_deadline_at
    due = match.clock.time(at) if at else None
    return due is not None and outages.is_days(match, due)


def _in_utc(at: datetime) -> datetime:
    """In UTC, so that a day later is 24 hours later. Leaves a time beyond the calendar, which is refused later."""
    try:
        return at.astimezone(UTC)
    except OverflowError:
        return at


def _instant(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def known_deadlines(match: Match) -> list[timedelta]:
    """Return the match times of future deadlines named in the match's views, the next first; none if the rules fail."""
    if match.fault or match.failures or not match.rules.is_known:
        return []
    position = Position(match)
    if position.public is None:
        return []
    times = {position.public.next_deadline}
    for player in match.players.all():
        private = position.private_of(player)
        times |= {ask.until for ask in private.asked} if private else set()
    now = match.clock.time(clock.now())
    found = {timedelta(seconds=time) for time in times if time is not None}
    return sorted(time for time in found if time > now)


def next_deadlines(match: Match, then: MatchClock, *, without: timedelta | None = None) -> list[str]:
    """Say when the known deadlines come by a clock; nothing if none is known. `without`: one that will have passed."""
    instants = [then.instant(time) for time in known_deadlines(match) if time != without]
    said = [formats.instant(at) for at in instants[:_MOST_SHOWN] if at is not None]
    if not said:
        return []
    which = "deadline is" if len(said) == 1 else "deadlines are"
    return [f"The next {which} then {'; '.join(said)}."]


def oddity(match: Match, at: datetime | None) -> list[str]:
    """Say what is odd about an instant at the usual hour, such as a change of clocks."""
    hour = match.hour
    said = hour.oddity(at) if hour is not None and at is not None and hour.first_from(at) == at else ""
    return [said] if said else []


def held_to_hour(match: Match, then: MatchClock, due: timedelta) -> MatchClock:
    """Return a clock that stands still until the deadline `due` comes at the usual hour."""
    hour, at = match.hour, then.instant(due)
    if hour is None or at is None:
        return then
    return then.held(clock.now(), then.hold_until(due, hour.first_from(at)))


def next_deadline(match: Match) -> str:
    """Return a sentence about the next deadline, after a space; empty without one."""
    return f" The next deadline is {formats.instant(match.next_deadline_at)}." if match.next_deadline_at else ""
