"""Retrying a match that was set aside because its rules failed."""

from __future__ import annotations

from matches.admin.commands.base import Command, CommandRequest, Sentences
from matches.models import Match
from matches.services import hosting


def _clear_words(request: CommandRequest) -> list[str]:
    return [
        f"The match was set aside after this fault: {request.match.fault or 'unknown'}",
        "It is tried again at once: all deadlines that have come since are passed, each at its own time.",
        "If the fault is still there, nothing else changes, and you see it here again.",
    ]


def _clear(request: CommandRequest) -> str:
    hosting.clear_fault(request.match, request.host)
    return "The fault is cleared, and the match is tried again."


def _is_faulty(match: Match) -> bool:
    return bool(match.fault or match.failures)


CLEAR = Command("fault", "Try again", "refresh", tuple(Match.Status), _clear_words, _clear, suits=_is_faulty)

SENTENCES: Sentences = {
    "fault": lambda payload: "The rules failed",
    "clear_fault": lambda payload: "Cleared the fault",
}
