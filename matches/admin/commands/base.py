"""What all commands share, in seasons too: the classes `Command` and `CommandRequest`, and base forms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict

from matches.admin import formats
from matches.admin.fields import reason_field
from matches.infra.text import moment_in_words, without_nul
from matches.models import Match, Player, Role
from matches.queries.matches import Position
from matches.services.commands import Payload, Told
from matches.services.errors import Refused
from matches.services.hosting import Undo

DRAFT, SCHEDULED = Match.Status.DRAFT, Match.Status.SCHEDULED
OPEN, PAUSED, FINISHED = Match.Status.OPEN, Match.Status.PAUSED, Match.Status.FINISHED
CANCELLED = Match.Status.CANCELLED
BEFORE, BEGUN = Match.BEFORE, Match.RUNNING

Sentences = Mapping[str, Callable[[Payload], str]]
"""Name of a command in the log -> a function that describes its payload, without the reason."""

SAID: dict[str, Callable[[Payload], str]] = {}
"""What all commands have as `Command.said`; the list of commands fills it."""


class CommandRequest(msgspec.Struct):
    """A host's request for a command: its match or season, the form's values, and a one-time key."""

    subject: Any
    host: Any
    values: dict[str, Any]
    key: str = ""

    @property
    def match(self) -> Any:
        """The subject, of a match's command."""
        return self.subject

    @property
    def season(self) -> Any:
        """The subject, of a season's command."""
        return self.subject

    @property
    def due(self) -> timedelta | None:
        """The match time of the next deadline."""
        public = Position(self.match).public
        return None if public is None or public.next_deadline is None else timedelta(seconds=public.next_deadline)


class Page(msgspec.Struct, frozen=True):
    """An answer that is shown only once, as it has no URL."""

    title: str
    template: str
    context: dict[str, Any]


class CommandForm(forms.Form):
    """Base of all forms, with `match` (the command's subject) and `host`; has no fields."""

    def __init__(self, match: Any, host: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"use_required_attribute": False, **kwargs})
        self.match = match
        self.host = host
        self.prepare()

    def prepare(self) -> None:
        """Adapt the fields to the match."""

    @property
    def hidden_by_field(self) -> Any:
        """The fields whose values the confirmation page sends again as hidden fields."""
        return self


class SentAsItIs(forms.Form):
    """A form whose fields may have many inputs: the confirmation page sends again what was sent."""

    hidden_by_field = ()

    @property
    def sent(self) -> Iterator[tuple[str, str]]:
        """The names and values that were sent."""
        data = self.data if isinstance(self.data, QueryDict) else QueryDict()
        return ((name, value) for name in data if name not in _NOT_TYPED for value in data.getlist(name))


_NOT_TYPED = {"csrfmiddlewaretoken", "key", "due", "_confirm", "_back", "_update", "_preview"}


class Command(msgspec.Struct, frozen=True):
    """A command of the hosts of a match or a season, all in one declaration: who may give it, when, its form, its
    consequences in words, what it does, and what the log says of it.

    `label`: its button. `consequence`: what will happen, in sentences; `run` does it and returns a message, or a page
    to show. `statuses`: when it is possible; `suits`: whether it fits the match or season.
    """

    name: str
    label: str
    icon: str
    statuses: Sequence[str]
    consequence: Callable[[CommandRequest], list[str]]
    run: Callable[[CommandRequest], str | Page]
    form: Callable[..., Any] = CommandForm
    danger: bool = False
    often: bool = False
    """Whether its button is visible at once while a match runs; others are behind “More”."""
    beside: str = ""
    """The command whose page has the button for this one, if it has none of its own."""
    names_deadline: bool = False
    """Whether it is about the next deadline, and only the one that was shown when it was requested."""
    suits: Callable[[Any], bool] = lambda subject: True
    asks: Callable[[Any], bool] = lambda subject: True
    """Whether its form is shown first. Otherwise the confirmation has the usual values, which can still be changed."""
    starts_at: Callable[[CommandRequest], datetime] | None = None
    """The start that it chooses: the confirmation page then shows the first deadlines."""
    preview: Callable[[HttpRequest, Any], HttpResponse | None] | None = None
    """Previews the match with the form's values; None if they are not valid."""
    for_owner: bool = False
    """Whether only the owner may give it."""
    refusal: Callable[[CommandRequest], str] = lambda request: ""
    """Why it would be refused as things stand, which is then shown instead of the confirmation; empty if not."""
    act: str = ""
    """The text of the button that confirms it, if not made from the label."""
    history: Mapping[str, Told] = {}
    """Name in the log -> how everybody reads its rows, after the host's name."""
    said: Sentences = {}
    """Name in the log -> how hosts read its rows, if everybody else reads less."""
    undo: Undo | None = None
    """How it is taken back."""
    never: Mapping[str, str] = {}
    """Name in the log -> why it cannot be taken back, and what to do instead."""

    @property
    def title(self) -> str:
        """The title of its page."""
        return self.label.rstrip("…")

    @property
    def confirming(self) -> str:
        """The text of the button that confirms it."""
        return self.act or self.title.lower()

    def for_role(self, role: Role) -> bool:
        """Whether people with this role may give it."""
        return role.owns if self.for_owner else role.acts

    def may(self, subject: Any) -> bool:
        """Whether it is possible for this match or season now."""
        return subject.status in self.statuses and self.suits(subject)


def deleting(words: Callable[[CommandRequest], list[str]], delete: Callable[[Any, Any], object]) -> Command:
    """Return the command that deletes a draft without a log."""

    def run(request: CommandRequest) -> str:
        title = str(request.subject)
        delete(request.subject, request.host)
        return f"You have deleted “{title}”."

    return Command(
        *("delete", "Delete", "x", (DRAFT,), words, run),
        danger=True,
        suits=lambda subject: subject.log_count == 0,
        for_owner=True,
    )


def switching(
    field: str, words: Callable[[Any, bool], list[str]], switch: Callable[..., object], done: Callable[[bool], str]
) -> Mapping[str, Any]:
    """Return the form, consequence and action of a command that switches the match's `field` on or off, as its page
    says, whatever another host has done since."""

    class SwitchForm(CommandForm):
        on = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], widget=forms.HiddenInput)

        def prepare(self) -> None:
            self.initial.setdefault("on", "no" if getattr(self.match, field) else "yes")

    def run(request: CommandRequest) -> str:
        on = request.values["on"] == "yes"
        switch(request.match, request.host, on, key=request.key)
        return done(on)

    return {
        "form": SwitchForm,
        "consequence": lambda request: words(request.match, request.values["on"] == "yes"),
        "run": run,
    }


def told_when_begun(match: Match) -> str:
    """Say when everybody hears about a choice that holds from the beginning on."""
    return "Everybody hears about it." if match.has_begun else "Everybody hears about it when the match begins."


class ReasonForm(CommandForm):
    """A reason that everybody can read."""

    reason = reason_field("Optional. Everybody can read it in the match's feed.", required=False)


class PlayerField(forms.ModelChoiceField):
    def label_from_instance(self, player: Any) -> str:
        return formats.called(player)


class PlayerForm(CommandForm):
    """One of the match's players."""

    player = PlayerField(queryset=Player.objects.none(), label="Player", empty_label="choose")

    def prepare(self) -> None:
        self.fields["player"].queryset = self.match.players.all()  # type: ignore[attr-defined]


class PlaceForm(CommandForm):
    """A choice of a place by its present holder, so that the form does nothing to whoever holds it later."""

    place = forms.ChoiceField(
        label="Place", error_messages={"invalid_choice": "Somebody else plays there now. Choose again."}
    )

    def offered(self) -> Any:
        """Return the places to choose from."""
        return self.match.players.select_related("user")

    def called(self, player: Any) -> str:
        """Return the label of a place in the form: the handle, and who plays there."""
        name = formats.called(player)
        if player.user is None:
            return f"{name}: {'a bot' if player.is_bot else 'nobody'}"
        return f"{name}: {player.user.username}{', for whom a bot plays' if player.is_bot else ''}"

    def prepare(self) -> None:
        self.places = {f"{each.pk}:{each.user_id or ''}:{int(each.is_bot)}": each for each in self.offered()}
        choices = [(token, self.called(each)) for token, each in self.places.items()]
        self.fields["place"].choices = [("", "choose"), *choices]  # type: ignore[attr-defined]
        wanted = str(self.initial.pop("player", ""))
        self.initial.setdefault("place", next((t for t, each in self.places.items() if str(each.pk) == wanted), ""))


@contextmanager
def refused_at_its_field() -> Iterator[None]:
    """Turn a service's refusal within the block into an error at its field; for a form's `clean`."""
    try:
        yield
    except Refused as refusal:
        raise forms.ValidationError({str(refusal.field): refusal.message}) from None


def check_newcomer(form: CommandForm, need: Callable[[Any, Any], None], *, needed: bool = False) -> None:
    """Add an error to the field `person` if `need` refuses that person, or, if `needed`, if it is empty."""
    person = form.cleaned_data.get("person")
    if person is None and needed and "person" not in form.errors:
        raise forms.ValidationError({"person": "Say who takes over."})
    with refused_at_its_field():
        if person is not None:
            need(form.match, person)


def told_to_everybody(request: CommandRequest) -> str:
    """Say that everybody hears about it, with the reason."""
    reason = request.values.get("reason")
    return f"Everybody can read it, with your reason: “{reason}”." if reason else "Everybody hears about it."


def told_at(text: str) -> str:
    """Return a time in a command's payload as everybody reads it."""
    return moment_in_words(datetime.fromisoformat(text))


def one_time_key(request: HttpRequest) -> str:
    """Return the one-time key that the page made for this form; empty without one."""
    return without_nul(request.POST.get("key", "")[:64])
