"""All commands, in the order in which the console shows them, and the sentences that describe them in the log."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from matches.admin.commands import (
    blood_garnets,
    clock,
    closing,
    corrections,
    decisions,
    ending,
    faults,
    hosts,
    inviting,
    leniency,
    looks,
    notes,
    open_places,
    publishing,
    questions,
    reminders,
    undoing,
    who_plays,
)
from matches.admin.commands.base import Sentences

COMMANDS = {
    command.name: command
    for command in (
        publishing.PUBLISH,
        publishing.START,
        clock.RESUME,
        undoing.UNDO,
        questions.ANSWER,
        notes.ANNOUNCE,
        reminders.REMIND,
        clock.EXTEND,
        clock.PAUSE,
        closing.CLOSE,
        closing.WHEN_SENT,
        who_plays.WHO_PLAYS,
        leniency.AWAY,
        leniency.LENIENCY,
        inviting.INVITE,
        open_places.FILL,
        corrections.CORRECT,
        decisions.DECIDE,
        blood_garnets.SWITCH,
        notes.WITHDRAW,
        hosts.HOSTS,
        publishing.UNPUBLISH,
        faults.CLEAR,
        ending.CANCEL,
        ending.DELETE,
        looks.PEEK,
    )
}

_TOPICS = [
    import_module(f"{__package__}.{found.name}")
    for found in iter_modules([str(Path(__file__).parent)])
    if found.name != Path(__file__).stem
]

SENTENCES: Sentences = {name: said for topic in _TOPICS for name, said in getattr(topic, "SENTENCES", {}).items()}
