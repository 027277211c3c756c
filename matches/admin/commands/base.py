"""What all commands share: the classes `Command` and `CommandRequest`, and their forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec
from django import forms
from django.http import HttpRequest

from matches.admin.line_fields import reason_field
from matches.infra.nul import without_nul
from matches.models import Match, Player
from matches.queries.matches import Position

DRAFT, SCHEDULED = Match.Status.DRAFT, Match.Status.SCHEDULED
OPEN, PAUSED, FINISHED = Match.Status.OPEN, Match.Status.PAUSED, Match.Status.FINISHED
CANCELLED = Match.Status.CANCELLED
BEFORE, BEGUN = (DRAFT, SCHEDULED), (OPEN, PAUSED)

Payload = Mapping[str, Any]
Sentences = Mapping[str, Callable[[Payload], str]]
"""Name of a command in the log -> what its row's payload says, without the reason."""


class CommandRequest(msgspec.Struct):
    """A host's request for a command: about which match, with what, and its one-time key."""

    match: Any
    host: Any
    values: dict[str, Any]
    key: str = ""

    @property
    def due(self) -> timedelta | None:
        """The match time of the next deadline."""
        public = Position(self.match).public
        return None if public is None or public.next_deadline is None else timedelta(seconds=public.next_deadline)


class Page(msgspec.Struct, frozen=True):
    """An answer that is shown at once and stands in no address and no history."""

    title: str
    template: str
    context: dict[str, Any]


class CommandForm(forms.Form):
    """Base of all: `match` and `host` are at hand; nothing is asked."""

    def __init__(self, match: Match, host: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"use_required_attribute": False, **kwargs})
        self.match = match
        self.host = host
        self.prepare()

    def prepare(self) -> None:
        """Fit the fields to the match."""


class Command(msgspec.Struct, frozen=True):
    """`label` is on the button. `consequence` says what will come of it; `run` does it and gives what is said then,
    or a page to show. `statuses` are those in which it can be given, and `suits` says whether it fits the match."""

    name: str
    label: str
    icon: str
    statuses: Sequence[str]
    consequence: Callable[[CommandRequest], list[str]]
    run: Callable[[CommandRequest], str | Page]
    form: type[CommandForm] = CommandForm
    danger: bool = False
    names_deadline: bool = False
    """Whether it is about the next deadline, and about no other that may have come since it was asked for."""
    suits: Callable[[Match], bool] = lambda match: True

    def may(self, match: Match) -> bool:
        """Whether it can be given to this match now."""
        return match.status in self.statuses and self.suits(match)


class ReasonForm(CommandForm):
    """A reason that everybody reads."""

    reason = reason_field("Everybody reads it in the match's feed. May be left empty.", required=False)


class PlayerField(forms.ModelChoiceField):
    def label_from_instance(self, player: Any) -> str:
        return player.handle if player.shown_name == player.handle else f"{player.handle} ({player.shown_name})"


class PlayerForm(CommandForm):
    """Which of the match's players."""

    player = PlayerField(queryset=Player.objects.none(), label="Player", empty_label="choose")

    def prepare(self) -> None:
        self.fields["player"].queryset = self.match.players.all()  # type: ignore[attr-defined]


def told_to_everybody(request: CommandRequest) -> str:
    """Who is told, and with what reason."""
    reason = request.values.get("reason")
    return f"Everybody is told, with your reason: “{reason}”." if reason else "Everybody is told."


def one_time_key(request: HttpRequest) -> str:
    """What names this one sending of a form, as the page made it; empty for none."""
    return without_nul(request.POST.get("key", "")[:64])
