"""Open places: what happens to them at the start, and bots that play there now."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms

from matches.admin import formats
from matches.admin.commands.base import BEFORE, Command, CommandForm, CommandRequest, Payload, Sentences
from matches.engine.sentences import counted, joined
from matches.models import Match, Player, clock
from matches.services.drafts.filling import give_to_bots
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


class PlacesField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, player: Any) -> str:
        """The place, and whom it was offered to."""
        now = clock.now()
        links = [each for each in player.invitations.all() if each.is_alive(now) and each.fits(player)]
        meant_for = [each.sent_to.username if each.sent_to else each.label for each in links]
        return ", invited: ".join([formats.called(player), *filter(None, meant_for)])


class FillForm(CommandForm):
    """In which open places bots play from now on."""

    places = PlacesField(
        queryset=Player.objects.none(),
        label="In these places",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose a place."},
    )

    def prepare(self) -> None:
        found = self.match.players.filter(user=None, is_bot=False).prefetch_related("invitations__sent_to")
        self.fields["places"].queryset = found  # type: ignore[attr-defined]
        self.initial.setdefault("places", list(found))


def _fill_words(request: CommandRequest) -> list[str]:
    places = list(request.values["places"])
    handles = joined([place.handle for place in places])
    return [
        f"{'A bot plays' if len(places) == 1 else 'Bots play'} from now on in the place of {handles}.",
        "Links to these places no longer work: whoever was invited there cannot come any more.",
    ]


def _fill(request: CommandRequest) -> str:
    give_to_bots(request.match, request.host, request.values["places"])
    return "Bots play there now."


def _has_open_places(match: Match) -> bool:
    return match.players.filter(user=None, is_bot=False).exists()


FILL = Command(
    "fill",
    "Bots in open places…",
    "users",
    BEFORE,
    _fill_words,
    _fill,
    FillForm,
    suits=_has_open_places,
    act="let bots play there",
)


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
