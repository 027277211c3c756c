"""The Celery tasks. They take no arguments and may run late or twice."""

from __future__ import annotations

from celery import shared_task

from accounts import mail_queue


@shared_task
def send_mail() -> None:
    """Send mails of the account pages."""
    mail_queue.send_due()
