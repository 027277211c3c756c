"""The Celery tasks. They only say what is to be done; they may run late, twice or not at all."""

from __future__ import annotations

from celery import shared_task

from talk import notices


@shared_task
def tell_of_mentions() -> None:
    """Tell people who were named in messages."""
    notices.tell_of_mentions()


@shared_task
def tell_of_messages() -> None:
    """Tell people what they have left unread."""
    notices.tell_of_messages()
