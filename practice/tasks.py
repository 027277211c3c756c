"""The Celery tasks. They take no arguments and only call services; they may run late or twice."""

from __future__ import annotations

from celery import shared_task

from practice import services


@shared_task
def clear() -> None:
    """Delete the tables that nobody has come back to."""
    services.clear()
