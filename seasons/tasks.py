"""The Celery tasks: services that take no arguments and may run late or twice."""

from celery import shared_task

from seasons import notices
from seasons.services import running

sweep = shared_task(name="seasons.tasks.sweep")(running.sweep)
tell = shared_task(name="seasons.tasks.tell")(notices.tell)
