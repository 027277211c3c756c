"""Commands to publish, start, unpublish, cancel and delete a match, and to fill open places."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from msgspec.structs import replace

from matches.admin import formats
from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    DRAFT,
    SCHEDULED,
    Command,
    CommandForm,
    CommandRequest,
    deleting,
    told_at,
    told_to_everybody,
)
from matches.admin.commands.moments import oddity
from matches.admin.fields import moment_field, reason_field
from matches.engine.sentences import Name, counted, joined
from matches.models import Match, Player, clock
from matches.pages.texts import in_round_words
from matches.queries.match_info import fixed_in
from matches.services import creation, hosting
from matches.services.belonging import group_of
from matches.services.commands import Payload
from matches.services.creation import give_to_bots
from matches.services.errors import CommandRefused
from matches.services.opening import BOTS, MOST_PUT_OFFS, WAIT, WITHOUT, lineup, open_count

# -- open places: what happens to them at the start, and bots in them ----------------------------------------


class OpenPlacesForm(CommandForm):
    """What happens to places that are still open at a future start."""

    open_places = forms.ChoiceField(
        label="Places still open at the start",
        choices=Match.OpenPlaces.choices,
        widget=forms.RadioSelect,
        required=False,
    )

    def prepare(self) -> None:
        self.initial.setdefault("open_places", self.match.open_places)

    def clean_open_places(self) -> str:
        """The choice, or else the match's own."""
        return str(self.cleaned_data["open_places"] or self.match.open_places)


class OpenPlacesNowForm(OpenPlacesForm):
    """What happens to places that are open now; has no field if there are none."""

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
    """Say what will happen to open places at a future start."""
    count = open_count(match)
    said = [f"{counted(count, 'place is', 'places are')} open now."] if count else []
    if choice == BOTS:
        return [*said, "Bots take places that are still open at the start."]
    if choice == WITHOUT:
        said.append("The match begins without places that are still open at the start.")
        least = counted(match.rules.sizes.least, "player")
        return [*said, f"With fewer than {least} the match does not begin, and the site tells everybody."]
    waits = f"the start by a day, at most {counted(MOST_PUT_OFFS, 'time')}, and everybody hears about it"
    return [*said, f"If a place is still open at the start, the site postpones {waits}."]


def at_once(match: Match, choice: str) -> tuple[int, list[str]]:
    """Return how many players there will be if the match begins now, and what happens to open places."""
    if not open_count(match):
        return match.players.count(), []
    found = lineup(match, choice)
    if choice == BOTS:
        are = counted(len(found.bots), "of them is a bot", "of them are bots")
        return len(found.players), [f"{are}, in places that nobody has taken."]
    gone = ["Unused invitations stop working."] if found.left_out else []
    return len(found.players), ["The match begins without its open places.", *gone]


class PlacesField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, player: Any) -> str:
        """The place, and whom it was offered to."""
        now = clock.now()
        links = [each for each in player.invitations.all() if each.is_alive(now) and each.fits(player)]
        meant_for = [each.sent_to.username if each.sent_to else each.label for each in links]
        return ", invited: ".join([formats.called(player), *filter(None, meant_for)])


class FillForm(CommandForm):
    """The open places in which bots play from now on."""

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
        f"From now on {'a bot plays' if len(places) == 1 else 'bots play'} as {handles}.",
        "Links to these places stop working, so people invited there can no longer join.",
    ]


def _fill(request: CommandRequest) -> str:
    give_to_bots(request.match, request.host, request.values["places"])
    return "Bots play there now."


FILL = Command(
    "fill",
    "Bots in open places…",
    "users",
    BEFORE,
    _fill_words,
    _fill,
    FillForm,
    suits=lambda match: match.players.filter(user=None, is_bot=False).exists(),
    act="let bots play there",
)


def start_of(payload: Payload) -> str:
    """Return the start in the payload of a log row."""
    return formats.instant(datetime.fromisoformat(payload["starts_at"]))


# -- publishing a match, starting it, and making it a draft again --------------------------------------------

_SOONEST = timedelta(minutes=30)
"""Players should know of a start at least this long before; an earlier usual hour is not offered."""


class PublishForm(OpenPlacesForm):
    """The start, in the host's time zone, and what happens to places that are open then."""

    field_order = ("starts_at", "open_places")

    starts_at = moment_field("Begins", error_messages={"required": "Say when the match begins."})

    def prepare(self) -> None:
        super().prepare()
        now = clock.now()
        hour = (now + timedelta(days=1)).replace(minute=0, second=0, microsecond=0)
        field = self.fields["starts_at"]
        field.label = f"Begins, in your time zone ({timezone.get_current_timezone_name()})"
        now_is = f"It is {formats.instant(now)} now."
        field.help_text = f"{now_is} Daily deadlines will fall at the time of day that you choose here."
        if usual := self.match.hour:
            hour = usual.after(now + _SOONEST)
            field.help_text += f" The usual hour is {usual}. It next comes on {formats.instant(hour)}."
        planned = self.match.starts_at
        starts_at = planned if planned is not None and planned > now else hour
        self.initial.setdefault("starts_at", starts_at)

    def clean_starts_at(self) -> datetime:
        starts_at: datetime = self.cleaned_data["starts_at"]
        try:
            hosting.check_start(starts_at, clock.now())
        except CommandRefused as refusal:
            raise forms.ValidationError(refusal.message) from None
        return starts_at.astimezone(UTC)  # in UTC, so that a day later is 24 hours later


def _publish_words(request: CommandRequest) -> list[str]:
    starts_at: datetime = request.values["starts_at"]
    hosting.check_ready(request.match, request.values["open_places"])
    said = [f"Everybody can see “{request.match}” and its players from now on."]
    said.append(f"It begins by itself on {formats.instant(starts_at)}, in {in_round_words(starts_at - clock.now())}.")
    if request.match.joining in Match.OPEN_TO_ALL:
        said.append(f"Until then anybody who is signed in can join, up to {request.match.places} players.")
    said += at_the_start(request.match, request.values["open_places"])
    said += _hour_words(request.match, starts_at)
    said += _told_of_fixed_draws(request.match)
    said.append("You can change its players until it begins, but its settings only if you unpublish it.")
    return said


def _hour_words(match: Match, starts_at: datetime) -> list[str]:
    """What the usual hour means for a match that begins at this time."""
    hour = match.hour
    if hour is None:
        return []
    said = [f"Its usual hour is {hour}.", *oddity(match, starts_at)]
    if hour.first_from(starts_at) != starts_at:
        said = [
            f"It does not begin at its usual hour, {hour}. Daily deadlines will fall at the time of day of its start."
        ]
    said.append("When the clocks change, deadlines come an hour earlier or later by local time, until you move one.")
    return said


def _told_of_fixed_draws(match: Match) -> list[str]:
    return [f"Everybody will read: “{each.sentence}”" for each in fixed_in(match)]


def _publish(request: CommandRequest) -> str:
    return f"You have published the match. {_set_start(request)}"


def _set_start(request: CommandRequest) -> str:
    values = request.values
    hosting.publish(request.match, request.host, values["starts_at"], values["open_places"], key=request.key)
    return f"It begins on {formats.instant(values['starts_at'])}."


def _start_words(request: CommandRequest) -> list[str]:
    hosting.check_ready(request.match, request.values.get("open_places", ""), now=True)
    count, said = at_once(request.match, request.values.get("open_places", ""))
    return [
        *_told_of_fixed_draws(request.match),
        f"“{request.match}” begins now, with {counted(count, 'player')}, and everybody can see it.",
        *said,
        "Match time counts from now: daily deadlines will fall at this time of day.",
        "From now on nobody can change its players or settings.",
    ]


def _start(request: CommandRequest) -> str:
    hosting.start_now(request.match, request.host, request.values.get("open_places", ""))
    return "The match has begun."


def _unpublish_words(request: CommandRequest) -> list[str]:
    match = request.match
    start = "" if match.start_problem else f" on {formats.instant(match.starts_at)}"
    return [
        "The match becomes a draft again: only its hosts and its players can see it.",
        f"It will not begin{start}. Its players stay in it.",
    ]


def _unpublish(request: CommandRequest) -> str:
    hosting.unpublish(request.match, request.host)
    return "The match is a draft again."


def _published(match: Match, payload: Payload, name: Name) -> str:
    did = "set the start to" if payload.get("moved") else "published the match, to begin"
    return f"{did} {told_at(payload['starts_at'])}"


PUBLISH = Command(
    "publish",
    "Publish…",
    "bell",
    (DRAFT,),
    _publish_words,
    _publish,
    PublishForm,
    starts_at=lambda request: request.values["starts_at"],
    # At the usual hour with all places taken there is nothing left to choose; the confirmation still offers it.
    asks=lambda match: match.hour is None or bool(open_count(match)),
    history={"publish": _published},
    undo=hosting.Undo(
        hosting.take_back_publication,
        "the publication of the match",
        then="The match is as it was before its publication",
        instead="Until the match begins, unpublish it or set another start instead.",
    ),
)
SET_START = replace(
    PUBLISH,
    name="set_start",
    label="Set another start…",
    icon="clock",
    statuses=(SCHEDULED,),
    consequence=lambda request: _publish_words(request)[1:],  # everybody can see it already
    run=_set_start,
    asks=lambda match: True,
    history={},
    undo=hosting.Undo(
        hosting.take_back_publication,
        "the new start",
        then="The match begins when it was to begin before",
        instead="Until the match begins, set another start instead.",
    ),
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
    never={"start": "The site draws everything at the start, so you cannot take it back."},
)
UNPUBLISH = Command(
    "unpublish",
    "Unpublish",
    "lock",
    (SCHEDULED,),
    _unpublish_words,
    _unpublish,
    history={"unpublish": lambda match, payload, name: "made the match a draft again"},
    never={"unpublish": "You cannot take it back, but you can publish the match again."},
)


# -- ending a match without a result: cancelling it, or deleting a draft -------------------------------------


class CancelForm(CommandForm):
    """The reason for cancelling."""

    reason = reason_field("Everybody can read it in the match's feed.")


def _cancel_words(request: CommandRequest) -> list[str]:
    if request.match.status == DRAFT:
        return ["This cancels the draft for good. Its players hear about it, and its log stays."]
    group = group_of(request.match) if request.match.has_begun else None
    return [
        f"“{request.match}” ends without a result, now and for good.",
        "Its log, ledger and bids stay as they are.",
        group.when_cancelled() if group else "The site pays nothing out and gives nothing back.",
        told_to_everybody(request),
    ]


def _cancel(request: CommandRequest) -> str:
    hosting.cancel(request.match, request.host, request.values["reason"])
    return "The match is cancelled."


def _delete_words(request: CommandRequest) -> list[str]:
    return [f"This erases the draft “{request.match}” and its places. Nobody has acted in it, so nothing is lost."]


CANCEL = Command(
    "cancel",
    "Cancel…",
    "x",
    (*BEFORE, *BEGUN),
    _cancel_words,
    _cancel,
    CancelForm,
    danger=True,
    history={"cancel": lambda match, payload, name: "cancelled the match"},
    never={"cancel": "It makes the log and the seed public, so you cannot take it back."},
)
DELETE = deleting(_delete_words, creation.delete_draft)
