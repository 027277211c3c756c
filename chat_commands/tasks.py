"""The Celery tasks. They take no arguments and may run late or twice."""

from __future__ import annotations

from celery import shared_task

from chat_commands import linking, player_actions
from matches.models import clock


@shared_task
def answer() -> None:
    """Answer commands whose match was busy."""
    player_actions.answer_due()


@shared_task
def tidy() -> None:
    """Forget interactions that can no longer be sent again."""
    linking.forget(clock.now())
