"""The Celery tasks. They take no arguments and may run late or twice."""

from __future__ import annotations

from celery import shared_task

from chat_commands import player_actions


@shared_task
def answer() -> None:
    """Answer commands whose match was busy."""
    player_actions.answer_due()
