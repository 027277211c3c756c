"""Announcements and clarifications: saying something to everybody, correcting it, withdrawing it."""

from __future__ import annotations

from django import forms

from matches.admin.commands.base import Command, CommandForm, CommandRequest, Payload, Sentences
from matches.admin.line_fields import reason_field
from matches.admin.text_fields import TextField
from matches.infra.moments import moment_in_words
from matches.models import HostNote, Match
from matches.queries.voice import NoteVersion, notes_of
from matches.services import hosting

_LABEL = 60


class AnnounceForm(CommandForm):
    """What everybody is to read, and whether it takes the place of something."""

    field_order = ("kind", "corrects", "text")

    kind = forms.ChoiceField(
        label="What it is",
        choices=HostNote.Kind.choices,
        initial=HostNote.Kind.ANNOUNCEMENT,
        widget=forms.RadioSelect,
        help_text="A clarification says how the rules are meant.",
        error_messages={"required": "Choose whether it is an announcement or a clarification."},
    )
    text = TextField(
        label="Text",
        most=hosting.LONGEST_NOTE,
        missing="Write what everybody is to read.",
        help_text="Everybody reads it at once, above the board. Web addresses become links. It can be corrected by "
        "another one and withdrawn, never edited.",
    )
    corrects = forms.ChoiceField(label="In place of", required=False)

    def prepare(self) -> None:
        present = [("", "nothing: it is new"), *_choices(self.match)]
        self.fields["corrects"].choices = present  # type: ignore[attr-defined]
        if len(present) == 1:
            del self.fields["corrects"]


class WithdrawForm(CommandForm):
    """Which note no longer counts, and why."""

    field_order = ("note", "reason")

    note = forms.ChoiceField(label="What to withdraw", error_messages={"required": "Choose what to withdraw."})
    reason = reason_field(
        "Everybody reads it beside the words, which stay readable.",
        required="Say why; everybody reads it.",
    )

    def prepare(self) -> None:
        self.fields["note"].choices = _choices(self.match)  # type: ignore[attr-defined]


def _choices(match: Match) -> list[tuple[str, str]]:
    """The notes that count now, by token."""
    return [(note.now.token, _in_short(note.now)) for note in notes_of(match) if not note.now.is_withdrawn]


def _in_short(version: NoteVersion) -> str:
    text = " ".join(version.text.split())
    text = text if len(text) <= _LABEL else f"{text[: _LABEL - 1]}…"
    return f"{HostNote.Kind(version.kind).label} of {moment_in_words(version.at)}: {text}"


def _announce_words(request: CommandRequest) -> list[str]:
    what = HostNote.Kind(request.values["kind"]).label.lower()
    said = [f"Everybody reads this {what} at once, with your name, above the board and in the feed:"]
    said.append(f"“{request.values['text']}”")
    if corrects := request.values.get("corrects"):
        before = dict(_choices(request.match)).get(corrects, "an earlier one")
        said.append(f"It takes the place of: {before}. The words before stay readable, struck out.")
    return said


def _announce(request: CommandRequest) -> str:
    values = request.values
    hosting.announce(
        request.match,
        request.host,
        values["kind"],
        values["text"],
        corrects=values.get("corrects") or "",
        key=request.key,
    )
    return "Everybody can read it now."


def _withdraw_words(request: CommandRequest) -> list[str]:
    shown = dict(_choices(request.match)).get(request.values["note"], "It")
    return [
        f"{shown} – no longer counts. Its words stay readable, struck out.",
        f"Everybody is told, with your reason: “{request.values['reason']}”.",
    ]


def _withdraw(request: CommandRequest) -> str:
    hosting.withdraw(request.match, request.host, request.values["note"], request.values["reason"], key=request.key)
    return "It is withdrawn."


def _has_notes(match: Match) -> bool:
    return bool(_choices(match))


def _announced(payload: Payload) -> str:
    what = HostNote.Kind(payload["kind"]).label
    return f"{'Correction' if 'corrects' in payload else what}: “{payload['text']}”"


_ALWAYS = tuple(Match.Status)

ANNOUNCE = Command("announce", "Announce…", "megaphone", _ALWAYS, _announce_words, _announce, AnnounceForm)
WITHDRAW = Command(
    "withdraw", "Withdraw an announcement…", "x", _ALWAYS, _withdraw_words, _withdraw, WithdrawForm, suits=_has_notes
)

SENTENCES: Sentences = {"announce": _announced, "withdraw_note": lambda payload: "Withdrew an announcement"}
