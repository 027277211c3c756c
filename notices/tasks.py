"""The Celery tasks. They only say what is to be done; they may run late, twice or not at all."""

from __future__ import annotations

from celery import shared_task

from matches.models import clock
from matches.services.outages import beat
from notices import deliveries, outbox, retention
from notices.reminders import reminding


@shared_task
def pass_on() -> None:
    """Make notices and posts of what matches have told."""
    outbox.pass_on_a_batch()


@shared_task
def send() -> None:
    """Begin to send what is due."""
    for channel in deliveries.waiting().elements():
        deliver.apply_async((channel,), expires=5)
    beat("notices")


@shared_task
def deliver(channel: str) -> None:
    """Send what is due by one channel."""
    deliveries.deliver(channel)


@shared_task
def remind() -> None:
    """Remind people of deadlines."""
    reminding.remind()


@shared_task
def tell_hosts() -> None:
    """Tell hosts that everybody has submitted."""
    reminding.tell_hosts()


@shared_task
def tidy() -> None:
    """Delete what nobody needs any more."""
    retention.tidy(clock.now())
