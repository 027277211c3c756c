"""All commands, in the order in which the console shows them, and the sentences that describe them in the log."""

from __future__ import annotations

from matches.admin.commands import (
    amending,
    blood_garnets,
    clock,
    corrections,
    decisions,
    ending,
    faults,
    hosts,
    looks,
    publishing,
)
from matches.admin.commands.base import Sentences

COMMANDS = {
    command.name: command
    for command in (
        publishing.PUBLISH,
        publishing.START,
        clock.RESUME,
        clock.EXTEND,
        clock.PAUSE,
        clock.CLOSE,
        corrections.CORRECT,
        decisions.DECIDE,
        blood_garnets.SWITCH,
        hosts.HOSTS,
        publishing.UNPUBLISH,
        faults.CLEAR,
        ending.CANCEL,
        ending.DELETE,
        looks.PEEK,
    )
}

_TOPICS = (amending, blood_garnets, clock, corrections, decisions, ending, faults, hosts, looks, publishing)

SENTENCES: Sentences = {name: said for topic in _TOPICS for name, said in topic.SENTENCES.items()}
