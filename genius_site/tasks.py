"""The Celery tasks of all apps, scheduled by `settings.CELERY_BEAT_SCHEDULE`. They only call services, and may run
late, twice or not at all."""

import random

from celery import shared_task

from accounts import mail_queue
from genius_site import cleanup
from matches.demo import upkeep
from matches.infra import metrics
from matches.models import clock
from matches.services import absences, blood, bots, deadlines, rehearsals
from matches.services.outages import beat
from notices import deliveries, outbox, reminding, retention
from notices.models import Address
from practice import services as practice
from seasons import notices as of_seasons
from seasons.services import running
from talk import notices as of_talk


@shared_task(name="matches.tasks.sweep")
def sweep() -> None:
    """Open matches; pass deadlines that are due, or for which all have submitted; begin and end absences."""
    with metrics.SWEEPS.time():
        deadlines.sweep()
    deadlines.sweep_all_sent()
    absences.tend()


@shared_task(name="matches.tasks.clear")
def clear() -> None:
    """Delete old rows."""
    cleanup.clear(clock.now())


@shared_task(name="notices.tasks.send")
def send() -> None:
    """Queue a task for each message that comes next, as many for each channel as are sent at once."""
    for channel in Address.Channel.values:
        for address in deliveries.due(channel):
            deliver.apply_async((channel, address), expires=5)
    beat("notices")


@shared_task(name="notices.tasks.deliver")
def deliver(channel: str, address: int) -> None:
    """Send one message to an address, then queue the task for one that comes next in the channel."""
    if deliveries.deliver(channel, address) and (found := deliveries.due(channel)):
        # Not always the first, which tasks that end at about the same time would all queue.
        deliver.apply_async((channel, random.choice(found)), expires=5)  # noqa: S311


@shared_task(name="notices.tasks.tidy")
def tidy() -> None:
    """Delete old notices."""
    retention.tidy(clock.now())


move_bots = shared_task(name="matches.tasks.move_bots")(bots.move_all)
play_rehearsals = shared_task(name="matches.tasks.play_rehearsals")(rehearsals.play_next)
grow_blood_garnets = shared_task(name="matches.tasks.grow_blood_garnets")(blood.grow_all)
tend_demo = shared_task(name="matches.tasks.tend_demo")(upkeep.tend)
pass_on = shared_task(name="notices.tasks.pass_on")(outbox.pass_on_a_batch)
remind = shared_task(name="notices.tasks.remind")(reminding.remind)
tell_hosts = shared_task(name="notices.tasks.tell_hosts")(reminding.tell_hosts)
sweep_seasons = shared_task(name="seasons.tasks.sweep")(running.sweep)
tell_of_seasons = shared_task(name="seasons.tasks.tell")(of_seasons.tell)
tell_of_mentions = shared_task(name="talk.tasks.tell_of_mentions")(of_talk.tell_of_mentions)
tell_of_messages = shared_task(name="talk.tasks.tell_of_messages")(of_talk.tell_of_messages)
clear_practice = shared_task(name="practice.tasks.clear")(practice.clear)
send_mail = shared_task(name="accounts.tasks.send_mail")(mail_queue.send_due)
