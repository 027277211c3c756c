"""Commands to amend a running match's settings, to take back the last command, and to retry after a fault."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst

from matches.admin import formats, preview
from matches.admin.commands.base import BEGUN, SAID, Command, CommandForm, CommandRequest, SentAsItIs
from matches.admin.fields import reason_field
from matches.admin.formats import differences, in_a_row, in_lines
from matches.admin.match_form import ConfigForm
from matches.engine.errors import ConfigError
from matches.engine.sentences import Name, joined, sentence
from matches.models import Match, Submission, clock
from matches.queries.host_acts import command_in_words
from matches.queries.matches import Position
from matches.services import amending, hosting
from matches.services.commands import Payload
from matches.services.errors import CommandRefused, Refused
from matches.services.hosting import UNDO_WITHIN
from matches.services.storage.log import is_end

_BESIDE = ("reason", "seen")


class AmendForm(SentAsItIs, ConfigForm):
    """The settings that can be amended, and the reason. After `is_valid`, the values include `amendment`, the change,
    and `wanted`: key -> the new value, None for the default."""

    is_settings = True

    def __init__(self, match: Match, host: Any, data: Any = None, **given: Any) -> None:
        self.match = match
        self.amendment: amending.Amendment | None = None
        super().__init__(match.rules, match.config, data, keys=match.rules.amendable)
        for field in self.fields.values():
            if (show := getattr(field, "show_running", None)) is not None:
                show(Position(match).public)
        self.fields["reason"] = reason_field(
            "Everybody can read it at once, with your name. What you changed becomes public when the match is over."
        )
        self.fields["seen"] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.initial["seen"] = amending.mark_of(match)

    def add_prefix(self, field_name: str) -> str:
        return field_name if field_name in _BESIDE else super().add_prefix(field_name)

    @property
    def note(self) -> str:
        """Says which settings can no longer be changed."""
        try:
            return amending.note_of(self.match)
        except Refused as refusal:
            return refusal.message

    def clean(self) -> dict[str, Any]:
        """Judge the settings even without a reason, so that their errors show and they can be previewed."""
        beside = {name: self.cleaned_data.pop(name, "") for name in _BESIDE}
        no_reason = self.errors.pop("reason", None)
        cleaned = super().clean()
        wanted = {key: self.config.get(key) for key in self.fields if key not in _BESIDE}
        if not self.errors:
            self._judge(wanted, beside["seen"])
        if no_reason is not None:
            self.errors["reason"] = no_reason
        return {**cleaned, **beside, "wanted": wanted, "amendment": self.amendment}

    def _judge(self, wanted: dict[str, Any], seen: str) -> None:
        try:
            self.amendment = amending.amendment_of(self.match, wanted)
        except ConfigError as error:
            self.refuse(error)
        except Refused as refusal:
            self.add_error(None, refusal.message)
        else:
            if not self.amendment.changes:
                self.add_error(None, amending.IN_FORCE)
            elif seen != (mark := amending.mark_of(self.match)):
                if seen:
                    self.add_error(None, amending.CHANGED)
                typed: Any = self.data.copy()  # type: ignore[attr-defined]
                typed["seen"] = mark
                self.data = typed


def _preview(request: HttpRequest, form: Any) -> HttpResponse | None:
    form.full_clean()
    return preview.show_typed(request, form.match, form.amendment.config) if form.amendment else None


def _words(request: CommandRequest) -> list[str]:
    match, amendment = request.match, request.values["amendment"]
    labels = {setting.key: setting.label for setting in match.rules.settings}
    said = differences({labels[key]: change for key, change in amendment.changes.items()})
    at = Position(match).instant(amendment.due)
    if at is not None and at != match.next_deadline_at:
        said.append(f"The next deadline will then be {formats.instant(at)}.")
    step = amendment.step
    if step.public or step.touched or step.announcements:
        said.append("Some of this changes what players see now. Their pages will show it at once.")
        said += in_lines(match, amending.of_amendment(match, amendment))
    else:
        said.append("Players see none of this until the match itself makes it public.")
    said.append("Everybody sees at once that you amended the settings, but not what you changed.")
    return [*said, f"Your reason: “{request.values['reason']}”."]


def _amend(request: CommandRequest) -> str:
    values = request.values
    try:
        amending.amend_match(
            request.match, request.host, values["wanted"], values["reason"], key=request.key, seen=values["seen"]
        )
    except ConfigError as error:  # something has begun since the form was shown
        raise CommandRefused(sentence(error.message), field=error.setting) from error
    return "You have amended the settings."


def _amended(payload: Payload) -> str:
    return f"Amended the settings ({in_a_row(payload['changes'])})"


def _told(match: Match, payload: Payload, name: Name) -> str:
    if not match.is_over:
        return "amended the settings"
    labels = {each.key: each.label for each in match.rules.settings}
    return f"amended these settings: {joined(labels.get(key, key) for key in payload['changes'])}"


AMEND = Command(
    "amend",
    "Amend settings…",
    "settings",
    BEGUN,
    _words,
    _amend,
    AmendForm,
    suits=lambda match: bool(match.rules.amendable),
    preview=_preview,
    said={"amend": _amended},
    history={"amend": _told},
    undo=hosting.Undo(
        hosting.take_back_amendment,
        "the amendment",
        then="The settings go back to what they were before the amendment",
        instead="Amend the settings again instead.",
    ),
)

# -- taking back the last command, and what each command's page says about that ----------------------------


def taking_back(*logged: str) -> str:
    """Say whether a command with one of these names in the log can be taken back; empty if there is nothing to say."""
    if any(name in hosting.UNDO_OF for name in logged):
        minutes = UNDO_WITHIN.seconds // 60
        return f"You can take it back within {minutes} minutes, as long as nobody does anything else first."
    return next((hosting.NEVER[name] for name in logged if name in hosting.NEVER), "")


class UndoForm(CommandForm):
    """The row of the log to take back: the one that the page showed."""

    row = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self.initial.setdefault("row", self.match.log_count)


def _nothing_to_undo(request: CommandRequest) -> str:
    if "row" in request.values and (said := hosting.taken_back(request.match, request.values["row"])):
        return said
    undoable = hosting.last_undoable(request.match)
    if undoable is not None and undoable.number == request.values.get("row", undoable.number):
        return ""
    return "You can no longer take it back: somebody has done something else since, or too much time has passed."


def _undo_words(request: CommandRequest) -> list[str]:
    undoable = hosting.last_undoable(request.match)
    if undoable is None:  # what could be taken back has just become too old
        return []
    payload = undoable.payload
    said = SAID[undoable.what](payload) if undoable.what in SAID else command_in_words(request.match, payload, {})
    return [
        f"You take this back: {': '.join(filter(None, [capfirst(said), str(payload.get('reason') or '')]))}",
        f"{hosting.undo_of(undoable.what, payload).then}.",
        "The log keeps both the command and the fact that you took it back.",
        "Everybody who heard about the command hears about this too.",
        f"You can do this until {formats.instant(undoable.until)}, as long as nobody does anything first.",
    ]


def _undo(request: CommandRequest) -> str:
    hosting.undo(request.match, request.host, request.values["row"], key=request.key)
    return "You have taken the command back."


def is_possible(latest: Sequence[Submission]) -> bool:
    """Whether there is a command to take back now; `latest`: the latest rows of the log, the last one first."""
    last = next((row for row in latest if not is_end(row)), None)
    return hosting.undoable(last, clock.now()) is not None


UNDO = Command(
    *("undo", "Take back the last command…", "history", tuple(Match.Status)),
    *(_undo_words, _undo, UndoForm),
    refusal=_nothing_to_undo,
    often=True,
    history={"undo": lambda match, payload, name: f"took back: {hosting.undo_of(payload['what'], payload).what}"},
    never={"undo": "You cannot take this back, but you can give the command again."},
)


# -- retrying a match that was set aside because its rules failed --------------------------------------------


def _clear_words(request: CommandRequest) -> list[str]:
    fault = request.match.fault or "unknown"
    goes_on = f"An action failed with this fault; the match goes on: {fault}"
    return [
        f"The site set the match aside after this fault: {fault}" if request.match.is_set_aside else goes_on,
        "The site now tries to continue the match. Deadlines that have come due pass now, each as if at its set time.",
        "If the fault is still there, nothing else changes, and you see the fault here again.",
    ]


def _clear(request: CommandRequest) -> str:
    hosting.clear_fault(request.match, request.host)
    return "The site is trying to continue the match."


CLEAR = Command(
    "fault",
    "Try again",
    "refresh",
    tuple(Match.Status),
    _clear_words,
    _clear,
    suits=lambda match: bool(match.fault or match.failures),
    history={"clear_fault": lambda match, payload, name: "let the match try again after a fault"},
)
