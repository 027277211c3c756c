"""The Celery tasks. They take no arguments and only call services; they may run late or twice."""

from __future__ import annotations

from celery import shared_task

from jotter.services import unsent


@shared_task
def let_go() -> None:
    """Delete what was typed and not sent in matches that are over."""
    unsent.let_go()
