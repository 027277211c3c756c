"""The Celery tasks. They take no arguments and may run late or twice."""

from __future__ import annotations

from celery import shared_task

from chat_commands import handlers


@shared_task
def answer() -> None:
    """Answer commands whose match was busy."""
    handlers.answer_due()
