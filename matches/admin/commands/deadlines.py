"""What the commands on a match's clock share, and closing deadlines early."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from accounts.forms import NO_MOMENT
from matches.admin import formats
from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    OPEN,
    Command,
    CommandForm,
    CommandRequest,
    ReasonForm,
    told_to_everybody,
)
from matches.admin.fields import moment_field
from matches.engine.match_time import DAY
from matches.models import Match, clock
from matches.models.clock import MatchClock
from matches.pages.texts import in_real_words, in_round_words
from matches.queries.matches import Position
from matches.services import hosting, outages

# -- moments -------------------------------------------------------------------------------------------------
# What the commands on a match's clock share: a form that asks for a moment, and the deadlines that would follow.

AT = "at"
_MOST_SHOWN = 4
_NO_LONGER = "The deadlines have changed since you opened this page, so this choice is gone. Choose again."


class MomentForm(CommandForm):
    """A choice of moments, one of which can be typed in the host's zone.

    Subclasses fill `choices()`. A choice that is an instant has it as its value, so that what is confirmed is what was
    shown; `moment` of the cleaned data is that instant or the typed one, None for any other choice.
    """

    usual = ""
    """The choice that counts where none was made."""

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
        self.fields["at"].help_text = f"Only for “at a time I enter”. It is {formats.instant(now)} now."

    def choices(self) -> list[tuple[str, str]]:
        """Value -> label. The first is what usually is meant."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        typed, when = cleaned.get("at"), cleaned.get("when") or ""
        if typed and when in ("", self.usual):
            when = AT  # whoever types a time means it
        if typed and when != AT:
            self.add_error("at", "You entered a time but chose something else. Choose “at a time I enter”.")
        if when == AT and typed is None:
            self.add_error("at", NO_MOMENT)
        cleaned["when"] = when or self.usual
        cleaned["moment"] = _in_utc(typed) if typed and when == AT else _instant(when)
        return cleaned


def offered(at: datetime, words: str) -> tuple[str, str]:
    """The choice of an instant."""
    return at.isoformat(), words.format(formats.instant(at))


def goes_by_days(match: Match) -> bool:
    """Whether the next deadline is a day's, and not one of a match of an evening that happens to have a usual hour."""
    at = match.next_deadline_at
    due = match.clock.time(at) if at else None
    return due is not None and outages.is_days(match, due)


def _in_utc(at: datetime) -> datetime:
    """So that a day later is 24 hours later. What is beyond the calendar there is refused as what it is."""
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
    """The match times that are still to come at which something closes, the next first, as the match's views have them;
    nothing where the rules cannot be asked."""
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
    """A sentence that says when the known deadlines come by a clock; nothing if none is known. `without`: one that will
    have passed."""
    instants = [then.instant(time) for time in known_deadlines(match) if time != without]
    said = [formats.instant(at) for at in instants[:_MOST_SHOWN] if at is not None]
    if not said:
        return []
    which = "deadline is" if len(said) == 1 else "deadlines are"
    return [f"The next {which} then {'; '.join(said)}."]


def oddity(match: Match, at: datetime | None) -> list[str]:
    """What is odd about an instant at the usual hour, if anything is."""
    hour = match.hour
    said = hour.oddity(at) if hour is not None and at is not None and hour.first_from(at) == at else ""
    return [said] if said else []


def held_to_hour(match: Match, then: MatchClock, due: timedelta) -> MatchClock:
    """A clock that stands until the deadline `due` comes at the usual hour."""
    hour, at = match.hour, then.instant(due)
    if hour is None or at is None:
        return then
    return then.held(clock.now(), then.hold_until(due, hour.first_from(at)))


def next_deadline(match: Match) -> str:
    """A sentence for what has just been done, with a space before it; empty if there is none."""
    return f" The next deadline is {formats.instant(match.next_deadline_at)}." if match.next_deadline_at else ""


# -- closing a deadline early --------------------------------------------------------------------------------


class CloseForm(ReasonForm):
    """What becomes of the deadlines after the one that is closed."""

    field_order = ("later", "reason")
    later = forms.ChoiceField(label="Later deadlines", required=False, widget=forms.RadioSelect)

    def prepare(self) -> None:
        hour, by_days, now = self.match.hour, goes_by_days(self.match), clock.now()
        due = next(iter(known_deadlines(self.match)), None)
        found = [(hosting.HOUR, f"Come earlier, but still at the usual hour ({hour})")] if hour else []
        found += [(hosting.STAY, "Stay where they are"), (hosting.EARLIER, "Come earlier by the same length")]
        if due is not None and by_days:
            found = [
                (later, f"{said}: the next day's comes {_next_day(self.match, due, later)}") for later, said in found
            ]
        self.usual = hosting.EARLIER if due is None else hosting.sensible_later(self.match, due, now)
        self.fields["later"].choices = found  # type: ignore[attr-defined]
        self.initial.setdefault("later", self.usual)

    def clean_later(self) -> str:
        return str(self.cleaned_data["later"] or self.usual)


def _clock_then(match: Match, due: timedelta, later: str) -> MatchClock:
    """The match's clock if the deadline `due` is closed now."""
    now = clock.now()
    then = match.clock.jumped(now, due)
    if later == hosting.HOUR:
        return held_to_hour(match, then, due + DAY)
    return then.held(now, match.clock.hold_until(due, now) * -1) if later == hosting.STAY else then


def _next_day(match: Match, due: timedelta, later: str) -> str:
    """When what comes a day after this deadline would come, and in how long."""
    at = _clock_then(match, due, later).instant(due + DAY)
    return "" if at is None else f"{formats.instant(at)}, in {in_round_words(at - clock.now())}"


def _close_words(request: CommandRequest) -> list[str]:
    match, now, due = request.match, clock.now(), request.due
    at = match.next_deadline_at
    if at is None or due is None:
        return [hosting.NOTHING_TO_CLOSE]
    early = max(at - now, timedelta())
    said = [
        f"The deadline of {formats.instant(at)} passes now, {in_round_words(early)} early.",
        "Players who meant to act by then no longer can. The site immediately settles everything due then.",
    ]
    later = request.values["later"]
    if later == hosting.STAY:
        said.append("Every later deadline stays where it is.")
    elif later == hosting.HOUR:
        said.append(f"The next one comes at the usual hour, {match.hour}, on the earliest day possible.")
        said.append("Later ones follow it.")
    else:
        said.append(f"Every later deadline comes {in_round_words(early)} earlier, too.")
    then = _clock_then(match, due, later)
    said += next_deadlines(match, then, without=due) if later != hosting.HOUR else []
    if example := _next_day(match, due, later):
        said.append(f"For example, a deadline {in_real_words(DAY, match.speed)} later will then be {example}.")
    return [*said, told_to_everybody(request)]


def _close(request: CommandRequest) -> str:
    expected: timedelta | None = request.values.get("expected")
    reason, later = request.values["reason"], request.values["later"]
    hosting.close_deadline(request.match, request.host, reason, expected=expected, later=later)
    request.match.refresh_from_db()
    return "The deadline is closed." + next_deadline(request.match)


# -- when everybody has sent ---------------------------------------------------------------------------------


def _when_sent_words(request: CommandRequest) -> list[str]:
    match = request.match
    told = "Everybody hears about it." if match.has_begun else "Everybody hears about it when the match begins."
    if match.closes_when_sent:
        return ["Deadlines pass at their set times again, even if everybody has submitted.", told]
    return [
        "The deadline of a sealed round passes as soon as all people have submitted. Nobody waits for bots. What "
        "each player submitted last counts, and they can no longer change it.",
        "The next deadline comes earlier by the same amount, or at the usual hour if that is at most half a day later.",
        told,
    ]


def _switch_when_sent(request: CommandRequest) -> str:
    on = not request.match.closes_when_sent
    hosting.close_when_sent(request.match, request.host, on, key=request.key)
    return f"Deadlines pass {'as soon as everybody has submitted' if on else 'at their set times'}."


WHEN_SENT = Command(
    "when-sent",
    "Close when everybody has submitted…",
    "gavel",
    (*BEFORE, *BEGUN),
    _when_sent_words,
    _switch_when_sent,
    act="change this",
    history={
        "close_when_sent": lambda match, payload, name: (
            f"let deadlines pass {'as soon as everybody has submitted' if payload['on'] else 'at their set times'}"
        )
    },
    never={"close_when_sent": "Switch it back instead. Everybody hears about that."},
)


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
    suits=lambda match: match.next_deadline_at is not None,
    said={
        "close_deadline": lambda payload: (
            "Closed the deadline early, because everybody had submitted"
            if payload.get("all_sent")
            else "Closed the deadline early"
        )
    },
    beside="extend",
    history={"close_deadline": lambda match, payload, name: "closed a deadline early"},
    never={"close_deadline": "Closing opens and settles what was sealed, so you cannot take it back."},
)
