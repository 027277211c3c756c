"""Ending a match without a result: cancelling a match, or deleting a draft in which nothing was done."""

from __future__ import annotations

from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    DRAFT,
    Command,
    CommandForm,
    CommandRequest,
    Sentences,
    told_to_everybody,
)
from matches.admin.line_fields import reason_field
from matches.models import Match
from matches.services import creation, hosting
from matches.services.belonging import group_of


class CancelForm(CommandForm):
    """Why the match is cancelled."""

    reason = reason_field(
        "Everybody reads it in the match's feed.",
        required="Say why the match is cancelled; everybody will read it.",
    )


def _cancel_words(request: CommandRequest) -> list[str]:
    if request.match.status == DRAFT:
        return ["The draft is cancelled for good. Its players are told, and nothing is erased."]
    group = group_of(request.match)
    return [
        f"“{request.match}” ends without a result, now and for good.",
        "Its log, ledger and bids stay as they are; nothing is paid out or given back.",
        *([group.when_cancelled()] if group and request.match.has_begun else []),
        told_to_everybody(request),
    ]


def _cancel(request: CommandRequest) -> str:
    hosting.cancel(request.match, request.host, request.values["reason"])
    return "The match is cancelled."


def _delete_words(request: CommandRequest) -> list[str]:
    return [f"The draft “{request.match}” and its places are erased. Nothing was ever done in it, so nothing is lost."]


def _delete(request: CommandRequest) -> str:
    title = str(request.match)
    creation.delete_draft(request.match, request.host)
    return f"“{title}” is deleted."


def _has_no_log(match: Match) -> bool:
    return match.log_count == 0


CANCEL = Command("cancel", "Cancel…", "x", (*BEFORE, *BEGUN), _cancel_words, _cancel, CancelForm, danger=True)
DELETE = Command(
    "delete", "Delete", "x", (DRAFT,), _delete_words, _delete, danger=True, suits=_has_no_log, for_owner=True
)

SENTENCES: Sentences = {"cancel": lambda payload: "Cancelled"}
