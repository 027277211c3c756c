"""Taking the last command back, and what each command's page says about that."""

from collections.abc import Sequence

from django import forms

from matches.admin import formats
from matches.admin.commands.base import Command, CommandForm, CommandRequest
from matches.models import Match, Submission, clock
from matches.services import hosting
from matches.services.hosting import UNDO_WITHIN
from matches.services.storage.log import is_end


def taking_back(*logged: str) -> str:
    """Whether a command can be taken back that the log calls by one of these names, in a sentence for its page; empty
    if there is nothing to say."""
    if any(name in hosting.UNDO_OF for name in logged):
        minutes = UNDO_WITHIN.seconds // 60
        return f"You can take it back within {minutes} minutes, as long as nobody does anything else first."
    return next((hosting.NEVER[name] for name in logged if name in hosting.NEVER), "")


class UndoForm(CommandForm):
    """Which row of the log is taken back: the one that the page has shown."""

    row = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def prepare(self) -> None:
        self.initial.setdefault("row", self.match.log_count)


def _nothing_to_undo(request: CommandRequest) -> str:
    undoable = hosting.last_undoable(request.match)
    if undoable is not None and undoable.number == request.values.get("row", undoable.number):
        return ""
    return "You can no longer take it back: somebody has done something else since, or too much time has passed."


def _undo_words(request: CommandRequest) -> list[str]:
    undoable = hosting.last_undoable(request.match)
    if undoable is None:  # what could be taken back has just become too old
        return []
    reason = str(undoable.payload.get("reason") or "")
    return [
        f"{hosting.UNDO_OF[undoable.what].then}{f' (“{reason}”)' if reason else ''}.",
        "The log keeps both the command and the fact that you took it back.",
        "Everybody who was told about the command is told about this too.",
        f"This is possible until {formats.instant(undoable.until)}, and only if nobody does anything before you.",
    ]


def _undo(request: CommandRequest) -> str:
    hosting.undo(request.match, request.host, request.values["row"], key=request.key)
    return "Taken back."


def is_possible(latest: Sequence[Submission]) -> bool:
    """Whether there is a command to take back now, by the latest rows of the log, the last one first."""
    last = next((row for row in latest if not is_end(row)), None)
    return hosting.undoable(last, clock.now()) is not None


UNDO = Command(
    *("undo", "Take back the last command…", "history", tuple(Match.Status)),
    *(_undo_words, _undo, UndoForm),
    refusal=_nothing_to_undo,
    often=True,
    history={"undo": lambda match, payload, name: f"took back: {hosting.UNDO_OF[payload['what']].what}"},
    never={"undo": "You cannot undo that. Give the command again instead."},
)


# -- retrying a match that was set aside because its rules failed --------------------------------------------


def _clear_words(request: CommandRequest) -> list[str]:
    return [
        f"The match was set aside after this fault: {request.match.fault or 'unknown'}",
        "The site now tries to continue the match. All deadlines that have come since then pass, each at its own time.",
        "If the fault is still there, nothing else changes, and you see the fault here again.",
    ]


def _clear(request: CommandRequest) -> str:
    hosting.clear_fault(request.match, request.host)
    return "Fault cleared. The site is trying to continue the match."


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
