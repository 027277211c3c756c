"""Reminding those from whom the match still waits for something."""

from __future__ import annotations

from matches.admin.commands.base import OPEN, Command, CommandRequest, Sentences
from matches.engine.sentences import counted, joined
from matches.infra.moments import moment_in_words
from matches.models import clock
from matches.services import hosting


def _nobody_to_remind(request: CommandRequest) -> str:
    again = hosting.next_reminder(request.match)
    if again and again > clock.now():
        return f"Nobody will be told: they were reminded already. You can do it again {moment_in_words(again)}."
    if not hosting.who_is_missing(request.match):
        return "Nobody will be told: all have done what is asked of them."
    return ""


def _remind_words(request: CommandRequest) -> list[str]:
    missing = hosting.who_is_missing(request.match)
    return [
        f"{counted(len(missing), 'player')} will be told: {joined(player.handle for player in missing)}.",
        "Each of them gets a notice with your name, and until when the match waits for them. Nobody else hears of it.",
        "If one of them acts before you confirm, they are told nothing.",
        "You can do it once in 6 hours. After the match everybody can read that you did it, but not whom you reminded.",
    ]


def _remind(request: CommandRequest) -> str:
    told = hosting.remind(request.match, request.host, key=request.key)
    return f"{counted(len(told), 'player has', 'players have')} been reminded: {joined(told)}."


REMIND = Command(
    "remind", "Remind those missing", "hourglass", (OPEN,), _remind_words, _remind, refusal=_nobody_to_remind
)

SENTENCES: Sentences = {"remind": lambda payload: "Reminded the players who had not acted"}
