"""The Celery tasks: services that may run late, twice or not at all."""

from celery import shared_task

from matches.models import clock
from matches.services.outages import beat
from notices import deliveries, outbox, retention
from notices.reminders import reminding

pass_on = shared_task(name="notices.tasks.pass_on")(outbox.pass_on_a_batch)
deliver = shared_task(name="notices.tasks.deliver")(deliveries.deliver)
remind = shared_task(name="notices.tasks.remind")(reminding.remind)
tell_hosts = shared_task(name="notices.tasks.tell_hosts")(reminding.tell_hosts)


@shared_task
def send() -> None:
    """Begin to send what is due."""
    for channel in deliveries.waiting().elements():
        deliver.apply_async((channel,), expires=5)
    beat("notices")


@shared_task
def tidy() -> None:
    """Delete what nobody needs any more."""
    retention.tidy(clock.now())
