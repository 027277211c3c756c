"""Commands to close deadlines early, at once or as soon as everybody has submitted."""

from datetime import timedelta

from django import forms

from matches.admin import formats
from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    OPEN,
    Command,
    CommandRequest,
    ReasonForm,
    switching,
    told_to_everybody,
    told_when_begun,
)
from matches.admin.commands.moments import (
    goes_by_days,
    held_to_hour,
    known_deadlines,
    next_deadline,
    next_deadlines,
)
from matches.engine.match_time import DAY
from matches.models import Match, clock
from matches.models.clock import MatchClock
from matches.pages.texts import in_real_words, in_round_words
from matches.services import hosting

# -- early ---------------------------------------------------------------------------------------------------


class CloseForm(ReasonForm):
    """What happens to the deadlines after the closed one."""

    field_order = ("later", "reason")
    later = forms.ChoiceField(label="Later deadlines", required=False, widget=forms.RadioSelect)

    def prepare(self) -> None:
        hour, by_days, now = self.match.hour, goes_by_days(self.match), clock.now()
        due = next(iter(known_deadlines(self.match)), None)
        found = [(hosting.HOUR, f"Come earlier, but still at the usual hour ({hour})")] if hour else []
        found += [(hosting.STAY, "Stay where they are"), (hosting.EARLIER, "Come earlier by the same amount")]
        if due is not None and by_days:
            found = [
                (later, f"{said}: the next day's deadline comes on {_next_day(self.match, due, later)}")
                for later, said in found
            ]
        self.usual = hosting.EARLIER if due is None else hosting.sensible_later(self.match, due, now)
        self.fields["later"].choices = found  # type: ignore[attr-defined]
        self.initial.setdefault("later", self.usual)

    def clean_later(self) -> str:
        return str(self.cleaned_data["later"] or self.usual)


def _clock_then(match: Match, due: timedelta, later: str) -> MatchClock:
    """The match's clock after closing the deadline `due` now."""
    now = clock.now()
    then = match.clock.jumped(now, due)
    if later == hosting.HOUR:
        return held_to_hour(match, then, due + DAY)
    return then.held(now, match.clock.hold_until(due, now) * -1) if later == hosting.STAY else then


def _next_day(match: Match, due: timedelta, later: str) -> str:
    """When a deadline a day after this one would come, and in how long."""
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
        by = in_real_words(DAY, match.speed)
        said.append(f"For example, a deadline that was due {by} after this one will now come on {example}.")
    return [*said, told_to_everybody(request)]


def _close(request: CommandRequest) -> str:
    expected: timedelta | None = request.values.get("expected")
    reason, later = request.values["reason"], request.values["later"]
    hosting.close_deadline(request.match, request.host, reason, expected=expected, later=later)
    request.match.refresh_from_db()
    return "The deadline has passed." + next_deadline(request.match)


# -- when everybody has submitted ----------------------------------------------------------------------------


def _when_sent_words(match: Match, on: bool) -> list[str]:
    told = told_when_begun(match)
    if not on:
        return ["Deadlines pass at their set times again, even if everybody has submitted.", told]
    return [
        "The deadline of a sealed round passes as soon as everybody but the bots has submitted. "
        "What each player submitted last counts, and they can no longer change it.",
        "The next deadline comes earlier by the same amount, or at the usual hour if that follows within half a day.",
        told,
    ]


def _how_they_pass(on: bool) -> str:
    return f"pass {'as soon as everybody has submitted' if on else 'at their set times'}"


WHEN_SENT = Command(
    "when-sent",
    "Close when everybody has submitted…",
    "gavel",
    (*BEFORE, *BEGUN),
    **switching(
        "closes_when_sent", _when_sent_words, hosting.close_when_sent, lambda on: f"Deadlines {_how_they_pass(on)}."
    ),
    act="change this",
    history={"close_when_sent": lambda match, payload, name: f"let deadlines {_how_they_pass(payload['on'])}"},
    never={"close_when_sent": "You cannot take it back, but you can change it again. Everybody hears about that too."},
)


CLOSE = Command(
    "close",
    "Close early…",
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
    never={"close_deadline": "This opens and settles what was sealed, so you cannot take it back."},
)
