"""The Celery tasks. They take no arguments and only call services; they may run late or twice."""

from __future__ import annotations

from celery import shared_task

from seasons import notices
from seasons.services import running


@shared_task
def sweep() -> None:
    """Bring seasons up to now."""
    running.sweep()


@shared_task
def tell() -> None:
    """Tell people elsewhere what happened in their seasons."""
    notices.tell()
