"""The Celery tasks. They take no arguments and may run late or twice."""

from __future__ import annotations

from celery import shared_task

from accounts import letters


@shared_task
def send_letters() -> None:
    """Send letters of the account pages."""
    letters.send_due()
