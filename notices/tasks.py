"""The Celery tasks. They take no arguments and only call services; they may run late or twice."""

from __future__ import annotations

from celery import shared_task

from matches.models import clock
from matches.services.heartbeat import beat
from notices import keeping, outbox, talk
from notices.match_webhooks import sending as match_webhooks
from notices.reminders import reminding, submitted
from notices.services import sending


@shared_task
def pass_on() -> None:
    """Make notices of what matches have told."""
    outbox.pass_on_a_batch()


@shared_task
def send() -> None:
    """Send what is due."""
    sending.send_due()
    beat("notices")


@shared_task
def post_match_news() -> None:
    """Post to webhooks of matches what waits for them."""
    match_webhooks.post_due()


@shared_task
def remind() -> None:
    """Remind people of deadlines."""
    reminding.remind()


@shared_task
def tell_hosts() -> None:
    """Tell hosts that everybody has submitted."""
    submitted.tell_hosts()


@shared_task
def tidy() -> None:
    """Delete what nobody needs any more."""
    keeping.tidy(clock.now())


@shared_task
def tell_of_mentions() -> None:
    """Tell people who were named in messages."""
    talk.tell_of_mentions()


@shared_task
def tell_of_messages() -> None:
    """Tell people what they have left unread."""
    talk.tell_of_messages()
