"""Acts for a linked person: the same service, permissions and sentences as the API. What cannot be judged at once is
kept, judged a moment later, and answered then.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

import structlog
from django.conf import settings
from django.db.models import QuerySet

from chat_commands import catalogue, sentences
from chat_commands.models import ChatAccount, WaitingAction
from chat_commands.signatures import Interaction
from matches.models import Match, Player, clock
from matches.services.errors import Busy, Refused
from matches.services.group.queue import submit

logger = structlog.get_logger(__name__)

GIVEN_UP_AFTER = timedelta(minutes=14)
"""A chat server takes an answer for fifteen minutes."""

_AGAIN_AFTER = timedelta(seconds=3)
_CLAIMED_FOR = timedelta(seconds=30)
_AT_ONCE = 20
_GOES_ON = (Match.Status.OPEN, Match.Status.PAUSED, Match.Status.SCHEDULED)


class Unclear(Exception):
    """It is not clear in which match to act. The text is for the person."""


def parts_of(user: Any, game: str = "") -> QuerySet[Player]:
    """A person's parts in matches that are not over, the latest first."""
    found = Player.objects.filter(user=user, match__status__in=_GOES_ON).select_related("match").order_by("-pk")
    return found.filter(match__game=game) if game else found


def part_in(user: Any, game: str, public_id: str) -> Player:
    """The person's part in the match that they name or, if they name none, in the only one of that game. Raises
    `Unclear`."""
    found = parts_of(user, game)
    if public_id:
        found = found.filter(match__public_id=public_id)
    parts = list(found[:2])
    if not parts:
        raise Unclear("You are not playing in any such match now.")
    if len(parts) > 1:
        raise Unclear("You play in several matches of this game. Choose one with the option “match”.")
    return parts[0]


def act(interaction: Interaction, player: Player, action: dict[str, Any], now: datetime) -> str | None:
    """Do it and say what became of it; None if the match is busy: then the answer follows. The interaction's id is the
    idempotency key."""
    try:
        return sentences.outcome(_submit(interaction.id, player.match_id, player.user_id, action, wait=False), action)
    except Busy:
        WaitingAction.objects.create(
            interaction_id=interaction.id,
            token=interaction.token,
            user_id=cast(int, player.user_id),  # linked people have an account
            match_id=player.match_id,
            action=action,
            since=now,
            due_at=now,
        )
        return None
    except Refused as refused:
        return sentences.plain(refused.message)


def _submit(interaction_id: str, match_id: int, user_id: int | None, action: Any, *, wait: bool) -> Any:
    return submit(match_id, user_id, action, f"chat-{interaction_id}", wait=wait)


def answer_due() -> int:
    """Judge and answer what waits; how much was answered."""
    if not (settings.CHAT_PUBLIC_KEY and settings.CHAT_APPLICATION_ID):
        return 0
    now = clock.now()
    WaitingAction.objects.filter(since__lt=now - GIVEN_UP_AFTER).delete()
    due = list(WaitingAction.objects.filter(due_at__lte=now).order_by("due_at", "pk")[:_AT_ONCE])
    return sum(_answer(waiting, now) for waiting in due)


def _answer(waiting: WaitingAction, now: datetime) -> bool:
    claimed = WaitingAction.objects.filter(pk=waiting.pk, due_at=waiting.due_at).update(due_at=now + _CLAIMED_FOR)
    if not claimed:
        return False
    if not waiting.answer:
        try:
            waiting.answer = _judged(waiting)
        except Busy:
            WaitingAction.objects.filter(pk=waiting.pk).update(due_at=now + _AGAIN_AFTER)
            return False
        WaitingAction.objects.filter(pk=waiting.pk).update(answer=waiting.answer)
    if not _posted(waiting):
        WaitingAction.objects.filter(pk=waiting.pk).update(due_at=now + _AGAIN_AFTER)
        return False
    waiting.delete()
    return True


def _judged(waiting: WaitingAction) -> str:
    """Raises `Busy`."""
    if not ChatAccount.objects.filter(user_id=waiting.user_id, user__is_active=True).exists():
        return sentences.NOT_LINKED
    try:
        answer = _submit(waiting.interaction_id, waiting.match_id, waiting.user_id, waiting.action, wait=True)
    except Busy:
        raise
    except Refused as refused:
        return sentences.plain(refused.message)
    return sentences.outcome(answer, waiting.action)


def _posted(waiting: WaitingAction) -> bool:
    """Whether nothing more need be sent: it arrived, or it never will."""
    try:
        status, _ = catalogue.call("PATCH", catalogue.answer_path(waiting.token), sentences.content(waiting.answer))
    except catalogue.NotReached as problem:
        logger.warning("chat_not_reached", problem=str(problem))
        return False
    if not 200 <= status < 300:
        logger.warning("chat_answer_refused", status=status)
    return not (status == 429 or status >= 500)
