"""What happens to open places at the start: the fields to choose it, and the sentences that announce it."""

from __future__ import annotations

from datetime import datetime

from django import forms

from matches.admin import formats
from matches.admin.commands.base import CommandForm, Payload, Sentences
from matches.engine.sentences import counted, joined
from matches.models import Match
from matches.services.open_places import BOTS, WAIT, WITHOUT, lineup, open_count
from matches.services.opening import MOST_PUT_OFFS


class OpenPlacesForm(CommandForm):
    """What to do with places that are still open at a future start."""

    open_places = forms.ChoiceField(
        label="Places that are still open then",
        choices=Match.OpenPlaces.choices,
        widget=forms.RadioSelect,
        required=False,
    )

    def prepare(self) -> None:
        self.initial.setdefault("open_places", self.match.open_places)

    def clean_open_places(self) -> str:
        """The choice; without one, the match's own."""
        return self.cleaned_data["open_places"] or self.match.open_places


class OpenPlacesNowForm(OpenPlacesForm):
    """What to do with places that are open now; asks nothing if there are none."""

    def prepare(self) -> None:
        if not open_count(self.match):
            del self.fields["open_places"]
            return
        field = self.fields["open_places"]
        field.label = "Open places"
        field.choices = [(choice.value, choice.label) for choice in (BOTS, WITHOUT)]  # type: ignore[attr-defined]
        if self.match.open_places != WAIT:
            super().prepare()


def at_the_start(match: Match, choice: str) -> list[str]:
    """What will happen to open places at a future start, in sentences."""
    count = open_count(match)
    said = [f"{counted(count, 'place is', 'places are')} open now."] if count else []
    if choice == BOTS:
        return [*said, "Bots play in places that are still open at the start."]
    if choice == WITHOUT:
        least = f"with fewer than {counted(match.rules.sizes.least, 'player')} it does not begin"
        return [*said, f"It begins without places that are still open at the start; {least}, and everybody is told."]
    waits = f"the start is postponed by a day, at most {counted(MOST_PUT_OFFS, 'time')}, and everybody is told"
    return [*said, f"As long as a place is open at the start, {waits}."]


def at_once(match: Match, choice: str) -> tuple[int, list[str]]:
    """How many players there will be if the match begins now, and what happens to open places."""
    if not open_count(match):
        return match.players.count(), []
    found = lineup(match, choice)
    if choice == BOTS:
        are = counted(len(found.bots), "of them is a bot", "of them are bots")
        return len(found.players), [f"{are}, in places that nobody has taken."]
    gone = ["Invitations that nobody has used no longer work."] if found.left_out else []
    return len(found.players), ["It begins without its open places.", *gone]


def start_of(payload: Payload) -> str:
    """The start in a row of the log."""
    return formats.instant(datetime.fromisoformat(payload["starts_at"]))


def _put_off(payload: Payload) -> str:
    were_open = counted(payload["open_places"], "place was", "places were")
    return f"The start was postponed to {start_of(payload)}: {were_open} open"


def _settled(payload: Payload) -> str:
    handles = joined(payload["handles"])
    return f"Bots play in open places: {handles}" if payload["choice"] == BOTS else f"Began without {handles}"


SENTENCES: Sentences = {"put_off": _put_off, "open_places": _settled}
