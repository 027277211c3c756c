"""Publishing a match, starting it, and making it a draft again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django import forms
from django.utils import timezone

from matches.admin import formats
from matches.admin.commands import open_places
from matches.admin.commands.base import BEFORE, SCHEDULED, Command, CommandRequest, Sentences
from matches.admin.commands.open_places import OpenPlacesForm, OpenPlacesNowForm
from matches.engine.sentences import counted
from matches.models import Match, clock
from matches.services import hosting
from matches.services.errors import CommandRefused
from matches.services.fixed_draws import fixed_draws

_SOONEST = timedelta(minutes=30)
"""So long before a start its players should at least know of it: an earlier usual hour is not offered."""


class PublishForm(OpenPlacesForm):
    """The start, in the host's zone, and what to do with places that are open then."""

    field_order = ("starts_at", "open_places")

    starts_at = forms.DateTimeField(
        label="Begins",
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={
            "required": "Say when the match begins.",
            "invalid": "Enter a day and a time, such as 2030-05-17 14:00.",
        },
    )

    def prepare(self) -> None:
        super().prepare()
        now = clock.now()
        hour = (now + timedelta(days=1)).replace(minute=0, second=0, microsecond=0)
        self.fields["starts_at"].label = f"Begins, in your zone ({timezone.get_current_timezone_name()})"
        self.fields["starts_at"].help_text = (
            f"It is {formats.instant(now)} now. "
            "Deadlines that are whole days apart will come at the time of day that you choose here."
        )
        if usual := self.match.hour:
            hour = usual.after(now + _SOONEST)
            self.fields["starts_at"].help_text += f" The usual hour is {usual}; next {formats.instant(hour)}."
        planned = self.match.starts_at
        starts_at = planned if planned is not None and planned > now else hour
        self.initial.setdefault("starts_at", starts_at)

    def clean_starts_at(self) -> datetime:
        starts_at: datetime = self.cleaned_data["starts_at"]
        try:
            hosting.check_start(starts_at, clock.now())
        except CommandRefused as refusal:
            raise forms.ValidationError(refusal.message) from None
        return starts_at.astimezone(UTC)  # so that a day later is 24 hours later


def _publish_words(request: CommandRequest) -> list[str]:
    starts_at: datetime = request.values["starts_at"]
    said = [f"Everyone can see “{request.match}” and its players from now on."]
    said.append(f"It begins by itself {formats.instant(starts_at)}, in {formats.span(starts_at - clock.now())}.")
    if request.match.joining in Match.OPEN_TO_ALL:
        said.append(f"Until then anyone who is signed in can join, up to {request.match.places} players.")
    said += open_places.at_the_start(request.match, request.values["open_places"])
    said += _hour_words(request.match, starts_at)
    said += _told_of_fixed_draws(request.match)
    said.append("Its settings cannot be changed any more unless you unpublish it; its players can, until it begins.")
    return said


def _hour_words(match: Match, starts_at: datetime) -> list[str]:
    """What the usual hour means for a match that begins then."""
    hour = match.hour
    if hour is None:
        return []
    said = [f"Its usual hour is {hour}."]
    if hour.first_from(starts_at) != starts_at:
        said = [
            f"It does not begin at its usual hour, {hour}: deadlines that are whole days apart come at the time of day"
            " at which it begins."
        ]
    said += [odd] if (odd := hour.oddity(starts_at)) else []
    said.append("When the clocks change, deadlines come an hour earlier or later there, until you extend one.")
    return said


def _told_of_fixed_draws(match: Match) -> list[str]:
    return [f"Everybody is told: “{each.sentence}”" for each in fixed_draws(match)]


def _publish(request: CommandRequest) -> str:
    values = request.values
    hosting.publish(request.match, request.host, values["starts_at"], values["open_places"], key=request.key)
    return f"Published. It begins {formats.instant(values['starts_at'])}."


def _start_words(request: CommandRequest) -> list[str]:
    count, said = open_places.at_once(request.match, request.values.get("open_places", ""))
    return [
        *_told_of_fixed_draws(request.match),
        f"“{request.match}” begins now, with {counted(count, 'player')}, and everyone can see it.",
        *said,
        "Match time counts from now: deadlines that are whole days apart will come at this time of day.",
        "From then on players and settings are fixed.",
    ]


def _start(request: CommandRequest) -> str:
    hosting.start_now(request.match, request.host, request.values.get("open_places", ""))
    return "The match has begun."


def _unpublish_words(request: CommandRequest) -> list[str]:
    match = request.match
    start = "" if match.start_problem else f" {formats.instant(match.starts_at)}"
    return [
        "The match becomes a draft again: only its hosts and its players can see it.",
        f"It will not begin{start}. Its players stay in it.",
    ]


def _unpublish(request: CommandRequest) -> str:
    hosting.unpublish(request.match, request.host)
    return "It is a draft again."


PUBLISH = Command(
    "publish",
    "Publish…",
    "bell",
    BEFORE,
    _publish_words,
    _publish,
    PublishForm,
    starts_at=lambda request: request.values["starts_at"],
)
START = Command(
    "start",
    "Start now",
    "hourglass",
    BEFORE,
    _start_words,
    _start,
    OpenPlacesNowForm,
    starts_at=lambda request: clock.now(),
)
UNPUBLISH = Command("unpublish", "Unpublish", "lock", (SCHEDULED,), _unpublish_words, _unpublish)

SENTENCES: Sentences = {
    **open_places.SENTENCES,
    "publish": lambda payload: f"Published, to start {open_places.start_of(payload)}",
    "unpublish": lambda payload: "Made it a draft again",
    "ended": lambda payload: "The match is over",
    "not_opened": lambda payload: "Could not start. " + " ".join(payload["problems"]),
    "open": lambda payload: f"The match began; SHA-256 of its seed: {payload['seed_hash']}",
    "word": lambda payload: (
        f"{payload['player']} {'sealed a word' if payload['seal'] else 'took back the word'} for chance"
    ),
}
